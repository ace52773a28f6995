// ggufgate inspect: shows the contents of a file and their offsets.

#include "report/inspect/inspect.h"

#include <unistd.h>

#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "check/check.h"
#include "cli/check/contracts.h"
#include "cli/command_line.h"
#include "cli/into_file.h"
#include "cli/judged_file.h"
#include "cli/usage/suggest.h"
#include "gate/judge.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "report/laid_open/laid_open.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/loader_outcomes.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::string_view kInspectFooter = R"(EXIT STATUS
    0  the file is accepted
    1  the file is rejected; its readable parts were shown
    2  the file could not be read, or the command was wrong

EXAMPLES
    ggufgate inspect model.gguf
        Header, metadata and tensors.
    ggufgate inspect --layout model.gguf
        The place of each part in the file.
    ggufgate inspect --loaders model.gguf
        The releases of llama.cpp that run the file.
    ggufgate inspect --key tokenizer.chat_template model.gguf
        A chat template for reading. For use, add --raw -o template.jinja.
    ggufgate inspect --format json --metadata model.gguf
        The keys, for a program to read.
    ggufgate inspect --at 0x1a40 model.gguf
        The field of byte 0x1a40, for example from a finding.
    ggufgate inspect --format html -o model.html model.gguf
        All bytes and their meaning, for a browser.
)";

struct InspectOptions {
  std::string path;
  std::string format = "text";
  bool metadata = false;
  bool tensors = false;
  bool layout = false;
  bool loaders = false;
  bool whole_arrays = false;
  std::string key;  // the key whose value is shown; empty: none
  bool raw = false;
  std::string at;            // the offset of a byte to describe; empty: none
  std::string output = "-";  // a file; "-": standard output
};

InspectParts PartsFor(const InspectOptions& options) {
  const bool by_key = !options.key.empty();
  const bool chosen =
      options.metadata || options.tensors || options.layout || options.loaders || by_key;
  return {.metadata = options.metadata || !chosen || by_key,
          .tensors = options.tensors || !chosen,
          .layout = options.layout,
          .whole_arrays = options.whole_arrays || by_key,
          .key = options.key};
}

// PrintVerdict prints the verdict to the error stream, so that a listing is not mistaken for an
// accepted file.
void PrintVerdict(const FileReport& report, const Streams& streams) {
  const ReportStyle style{.colour = false, .quiet = true, .verbose = false};
  const auto reporter = MakeReporter(Format::kText, Policy{}, style, streams.error);
  reporter->Add(report);
  reporter->Finish();
}

// NoSuchKey prints an error with the most similar key.
void NoSuchKey(const Document& document, const InspectOptions& options, const Streams& streams) {
  std::vector<std::string_view> keys;
  for (const MetadataEntry& entry : document.metadata) keys.push_back(entry.key);
  streams.error << "ggufgate: " << EscapeText(options.path) << ": there is no key "
                << Quoted(options.key) << DidYouMean(options.key, keys) << '\n';
}

// PrintValue prints the value of the requested key. If it cannot, it prints a message and returns
// false.
bool PrintValue(const Document& document, const InspectOptions& options, const Streams& streams) {
  const MetadataEntry* const entry = document.Find(options.key);
  if (entry == nullptr) {
    NoSuchKey(document, options, streams);
    return false;
  }
  if (options.format == "json") {
    InspectAsJson(document, options.path, PartsFor(options), streams.out);
    return true;
  }
  const std::optional<std::string_view> text = document.StringOf(*entry);
  if (options.raw && !text) {
    streams.error << "ggufgate: " << EscapeText(options.key)
                  << " is not a string; --raw needs a string\n";
    return false;
  }
  if (options.raw) {
    streams.out << *text;
  } else {
    ValueAsText(document, *entry, streams.out);
  }
  return true;
}

// AskedOffset parses an offset on the command line, decimal or 0x….
std::optional<std::uint64_t> AskedOffset(std::string_view text) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  std::uint64_t offset = 0;
  const char* const end = std::to_address(text.end());
  const auto [read, error] = std::from_chars(text.data(), end, offset, hex ? 16 : 10);
  return error == std::errc() && read == end ? std::optional(offset) : std::nullopt;
}

// ShowAt describes the requested byte. If it cannot, it prints a message and returns false.
bool ShowAt(const Document& document, const ByteSource& source, const InspectOptions& options,
            const Streams& streams) {
  const std::uint64_t offset =
      AskedOffset(options.at).value_or(UINT64_MAX);  // WrongTogether() has parsed it
  if (offset >= document.file_size) {
    const absl::Status beyond =
        absl::OutOfRangeError("there is no byte " + options.at + ": the file has " +
                              Grouped(document.file_size) + " bytes");
    std::ignore = ComplainOf(options.path, beyond, streams);
    return false;
  }
  const auto show = options.format == "json" ? &ShowAtAsJson : &ShowAtAsText;
  const absl::Status status = show(document, source, options.path, offset, streams.out);
  if (!status.ok()) std::ignore = ComplainOf(options.path, status, streams);
  return status.ok();
}

// Show prints the requested parts of a file, except the HTML page, which includes the verdict.
bool Show(const Document& document, const ByteSource& source, const InspectOptions& options,
          std::span<const OutcomeInLoader> loaders, const Streams& streams) {
  if (!options.key.empty()) return PrintValue(document, options, streams);
  if (!options.at.empty()) return ShowAt(document, source, options, streams);
  InspectParts parts = PartsFor(options);
  parts.loaders = loaders;
  if (options.format == "json") {
    InspectAsJson(document, options.path, parts, streams.out);
  } else if (options.format == "text") {
    InspectAsText(document, options.path, parts, streams.out, streams.columns);
  }
  return true;
}

// RunInspect returns nullopt, after a message, if there is nothing to show.
std::optional<int> RunInspect(const InspectOptions& options, const Streams& streams) {
  JudgeOptions judge;
  if (options.loaders) AddAllLoaders(judge.policy);
  const absl::StatusOr<Input> input = options.path == "-"
                                          ? Input::Spool(STDIN_FILENO, judge.most_spooled)
                                          : Input::Open(options.path);
  const auto cannot = [&](const absl::Status& status) {
    std::ignore = ComplainOf(options.path, status, streams);
    return std::nullopt;
  };
  if (!input.ok()) return cannot(input.status());
  const absl::StatusOr<ReadDocument> read =
      ReadDocument::Read(input->source(), judge.policy.limits);
  if (!read.ok()) return cannot(read.status());

  // Other parts are shown before the verdict, which may take long.
  std::optional<FileReport> judged;
  std::vector<OutcomeInLoader> outcomes;
  if (options.loaders) {
    judged = JudgeInput(*input, options.path, judge);
    outcomes = OutcomesIn(judged->findings, judged->verdict, judge.policy);
  }
  const bool shown = Show(read->document(), input->source(), options, outcomes, streams);
  streams.out.flush();

  const FileReport report = judged ? *std::move(judged) : JudgeInput(*input, options.path, judge);
  if (options.format == "html") {
    const absl::Status status =
        LayOpenAsHtml(read->document(), input->source(), report, streams.out);
    if (!status.ok()) return cannot(status);
    streams.out.flush();
  }
  PrintVerdict(report, streams);
  if (!shown) return std::nullopt;
  return report.verdict == Verdict::kAccept   ? kExitAccept
         : report.verdict == Verdict::kReject ? kExitReject
                                              : kExitUndecided;
}

// WrongTogether returns an error in the combination of options, or an empty text.
std::string_view WrongTogether(const InspectOptions& options, const Streams& streams) {
  const bool parts = options.metadata || options.tensors || options.layout || options.loaders;
  if (!options.key.empty() && parts) {
    return "--key shows one value; give it without other parts";
  }
  if (!options.at.empty()) {
    if (!options.key.empty() || parts) {
      return "--at shows one byte; give it without other parts";
    }
    if (!AskedOffset(options.at)) return "--at needs a byte offset, for example 6720 or 0x1a40";
  }
  const bool chosen = parts || options.whole_arrays || !options.key.empty() || !options.at.empty();
  if (options.format == "html" && chosen)
    return "--format html always shows the whole file; give it without --metadata, --key and the "
           "like";
  if (!options.raw) return "";
  if (options.key.empty() || options.format != "text") return "--raw needs --key and --format text";
  if (options.output == "-" && streams.columns > 0) {
    return "--raw does not write to a terminal, because the bytes can control it: use --output "
           "FILE or a pipe";
  }
  return "";
}

int InspectConfined(const InspectOptions& options, const Streams& streams) {
  if (IsFolder(options.path)) return NotOneFile("inspect", options.path, streams);
  if (const std::string_view wrong = WrongTogether(options, streams); !wrong.empty()) {
    return WrongUsage("inspect", wrong, streams);
  }
  const Confiner apart = [&](const std::function<int()>& work, int /*output*/) {
    return GuardedAndConfined({options.path}, work, streams);
  };
  const auto inspect = [&](const Streams& to) { return RunInspect(options, to); };
  if (options.output != "-") {
    return ConfinedIntoFile(options.output, {options.path}, apart, inspect, streams);
  }
  return apart([&] { return inspect(streams).value_or(kExitUndecided); }, STDOUT_FILENO);
}

}  // namespace

void AddInspectCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<InspectOptions>();
  Command command =
      app.AddSubcommand("inspect",
                        "show what is in a file\n"
                        "Prints the header, the metadata and the tensors, or only the selected "
                        "parts. For a faulty file, it shows the parts that could be read. A "
                        "verdict other than ok goes to standard error and sets the exit status.");
  command.Footer(kInspectFooter);
  command.AddOption("FILE", options->path, "A file, or - for standard input.")
      .Required()
      .NotEmpty();
  command.AddChoice(
      "-f,--format", options->format,
      "Print text (default), json, or html: one page that shows the bytes and their meaning.",
      {"text", "json", "html"});
  command.AddFlag("--metadata", options->metadata, "Only the metadata.");
  command.AddFlag("--tensors", options->tensors, "Only the tensors.");
  command.AddFlag("--layout", options->layout, "Only the layout, drawn to scale.");
  command.AddFlag("--loaders", options->loaders,
                  "Only the outcome in each loader that ggufgate knows. Then the file is rejected "
                  "if one of them does not run it.");
  command.AddFlag("--whole-arrays", options->whole_arrays,
                  "All elements of arrays in JSON, not the first 8.");
  command
      .AddOption("--key", options->key,
                 "Only the complete value of KEY: a string (line breaks and tabs are kept, other "
                 "unsafe characters are escaped), or an array with one element per line.")
      .ShownAs("KEY");
  command.AddFlag("--raw", options->raw,
                  "With --key: the exact bytes of a string, without escaping, even if they are "
                  "hostile. Not to a terminal.");
  command
      .AddOption("--at", options->at,
                 "Only the byte at OFFSET (decimal or 0x…): its field, its meaning, and the bytes "
                 "around it. As text or json.")
      .ShownAs("OFFSET");
  command
      .AddOption("-o,--output", options->output,
                 "Write to FILE instead of standard output (-). The file appears only when it is "
                 "complete, and replaces an older one.")
      .ShownAs("FILE");
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return InspectConfined(*options, streams); };
  });
}

}  // namespace ggufgate

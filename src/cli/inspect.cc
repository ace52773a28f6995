// ggufgate inspect: what is in a file, and where.

#include "report/inspect/inspect.h"

#include <unistd.h>

#include <memory>
#include <utility>

#include "check/check.h"
#include "cli/command_line.h"
#include "gate/judge.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "report/reporter.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

constexpr std::string_view kInspectFooter = R"(EXIT STATUS
    0  the file is accepted
    1  the file is rejected; what could be read of it was shown
    2  the file could not be read, or the command was wrong

EXAMPLES
    ggufgate inspect model.gguf
        Header, metadata and tensors.
    ggufgate inspect --layout model.gguf
        What stands where.
    ggufgate inspect --format json --metadata model.gguf
        The keys, for a program.
)";

struct InspectOptions {
  std::string path;
  std::string format = "text";
  bool metadata = false;
  bool tensors = false;
  bool layout = false;
  bool whole_arrays = false;
};

InspectParts PartsFor(const InspectOptions& options) {
  const bool chosen = options.metadata || options.tensors || options.layout;
  return {.metadata = options.metadata || !chosen,
          .tensors = options.tensors || !chosen,
          .layout = options.layout,
          .whole_arrays = options.whole_arrays};
}

int CannotInspect(const std::string& path, const absl::Status& status, const Streams& streams) {
  streams.error << "ggufgate: " << EscapeText(path) << ": "
                << EscapeText(std::string(status.message())) << '\n';
  return kExitUndecided;
}

// PrintVerdict says on the error stream what the gate thinks of the file, so that nobody takes a
// listing for a clean bill of health.
void PrintVerdict(const FileReport& report, const Streams& streams) {
  const ReportStyle style{.colour = false, .quiet = true, .verbose = false};
  const auto reporter = MakeReporter(Format::kText, Policy{}, style, streams.error);
  reporter->Add(report);
  reporter->Finish();
}

int RunInspect(const InspectOptions& options, const Streams& streams) {
  const JudgeOptions judge;
  const absl::StatusOr<Input> input = options.path == "-"
                                          ? Input::Spool(STDIN_FILENO, judge.most_spooled)
                                          : Input::Open(options.path);
  if (!input.ok()) return CannotInspect(options.path, input.status(), streams);
  const absl::StatusOr<ReadDocument> read =
      ReadDocument::Read(input->source(), judge.policy.limits);
  if (!read.ok()) return CannotInspect(options.path, read.status(), streams);

  const auto inspect = options.format == "json" ? &InspectAsJson : &InspectAsText;
  inspect(read->document(), options.path, PartsFor(options), streams.out);
  streams.out.flush();

  const FileReport report = JudgeInput(*input, options.path, judge);
  PrintVerdict(report, streams);
  return report.verdict == Verdict::kAccept   ? kExitAccept
         : report.verdict == Verdict::kReject ? kExitReject
                                              : kExitUndecided;
}

}  // namespace

void AddInspectCommand(CLI::App& app, const Streams& streams, RunCommand& run) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect",
      "show what is in a file\n"
      "Prints header, metadata and tensors, or only the parts asked for. Of a faulty file it shows "
      "what was read. The verdict, unless it is ok, goes to standard error and into the exit "
      "status.");
  command->footer(std::string(kInspectFooter));
  command->add_option("FILE", options->path, "A file, or - for standard input.")->required();
  command->add_option("--format", options->format, "Print text (default) or json.")
      ->check(CLI::IsMember({"text", "json"}))
      ->option_text("text|json");
  command->add_flag("--metadata", options->metadata, "Only the metadata.");
  command->add_flag("--tensors", options->tensors, "Only the tensors.");
  command->add_flag("--layout", options->layout, "Only the layout, drawn to scale.");
  command->add_flag("--whole-arrays", options->whole_arrays,
                    "All elements of arrays in JSON, not the first 8.");
  command->callback([options, &streams, &run] {
    run = [options, &streams] {
      return GuardedAndConfined(
          {options->path}, [&] { return RunInspect(*options, streams); }, streams);
    };
  });
}

}  // namespace ggufgate

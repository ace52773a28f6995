// ggufgate diff: compares two models.

#include <memory>

#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/usage/suggest.h"
#include "manifest/difference.h"

namespace ggufgate {
namespace {

constexpr std::string_view kDiffFooter = R"(EXIT STATUS
    0  the same metadata and tensors
    1  there are differences
    2  a file is rejected or could not be read, or the command was wrong

EXAMPLES
    ggufgate diff old.gguf new.gguf
        What did the new release change?
    ggufgate diff --no-data a.gguf b.gguf
        Only keys, types and shapes, without tensor data.
)";

struct DiffOptions {
  std::string from;
  std::string to;
  std::string format = "text";
  bool no_data = false;
  bool despite_findings = false;
};

std::optional<JudgedFile> Open(const std::string& path, const DiffOptions& options,
                               const Streams& streams) {
  // A rejected file must not give 1, which means that two models differ.
  int code = kExitUndecided;
  return OpenJudged(path, options.despite_findings, "they were not compared", streams, code);
}

int RunDiff(const DiffOptions& options, const Streams& streams) {
  const std::optional<JudgedFile> from = Open(options.from, options, streams);
  if (!from) return kExitUndecided;
  const std::optional<JudgedFile> to = Open(options.to, options, streams);
  if (!to) return kExitUndecided;
  absl::StatusOr<std::vector<Difference>> differences =
      DifferencesBetween({from->read.document(), from->input.source()},
                         {to->read.document(), to->input.source()}, !options.no_data);
  if (!differences.ok()) return ComplainOf(options.to, differences.status(), streams);
  for (const auto& [path, file] :
       {std::pair(&options.from, &*from), std::pair(&options.to, &*to)}) {
    const absl::Status unchanged = file->input.Unchanged();
    if (!unchanged.ok()) return ComplainOf(*path, unchanged, streams);
  }
  const Comparison comparison{.command = "diff",
                              .from = options.from,
                              .to = options.to,
                              .data = !options.no_data,
                              .differences = *std::move(differences)};
  (options.format == "json" ? WriteDifferencesJson : WriteDifferencesText)(comparison, streams.out);
  return comparison.differences.empty() ? kExitAccept : kExitReject;
}

}  // namespace

void AddDiffCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<DiffOptions>();
  Command command =
      app.AddSubcommand("diff",
                        "show what changed between two models\n"
                        "Prints a line for each key or tensor that differs or that one model "
                        "lacks. It compares values, types, shapes, and tensor data by their "
                        "SHA-256, but not the places in the file. Both files are checked first.");
  command.Footer(kDiffFooter);
  command.AddOption("A", options->from, "A file.").Required().NotEmpty();
  command.AddOption("B", options->to, "Another file. One of the two may be - for standard input.")
      .Required()
      .NotEmpty();
  command.AddChoice("-f,--format", options->format, "Print text (default) or json.",
                    {"text", "json"});
  command.AddFlag("--no-data", options->no_data, "Do not read tensor data.");
  AddDespiteFindings(command, options->despite_findings, "Compare");
  command.OnChosen([options, &streams, &run] {
    if (options->from == "-" && options->to == "-") {
      FailUsage("A, B", "standard input is one file");
    }
    run = [options, &streams] {
      for (const std::string& path : {options->from, options->to}) {
        if (IsFolder(path)) return NotOneFile("diff", path, streams);
      }
      return GuardedAndConfined(
          {options->from, options->to}, [&] { return RunDiff(*options, streams); }, streams);
    };
  });
}

}  // namespace ggufgate

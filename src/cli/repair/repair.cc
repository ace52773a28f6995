// ggufgate repair: writes a copy of a model without the faults that have one right answer.

#include "repair/repair.h"

#include <unistd.h>

#include <memory>
#include <optional>
#include <vector>

#include "cli/command_line.h"
#include "cli/into_file.h"
#include "cli/judged_file.h"
#include "cli/output_file.h"
#include "cli/repair/copy_to.h"
#include "cli/repair/repair_report.h"
#include "cli/repair/same_tensors.h"
#include "cli/usage/suggest.h"
#include "gate/confine/confine.h"
#include "gate/judge.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "repair/repaired_source.h"
#include "report/reporter.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::string_view kRepairFooter = R"(EXIT STATUS
    0  OUT was written and is accepted; or nothing needs a repair, and OUT was
       not written
    1  refused: a fault has no certain answer, and OUT was not written
    2  a file could not be read or written, or the command was wrong

EXAMPLES
    ggufgate repair --dry-run model.gguf
        Which changes would be made, and why?
    ggufgate repair model.gguf repaired.gguf
        A copy with these changes, which appears whole or not at all.
)";

// The exit code of the first child when it has written the whole file.
constexpr int kWritten = 8;

struct RepairOptions {
  std::string path;
  std::string output;
  bool dry_run = false;
  std::string format = "text";

  [[nodiscard]] std::unique_ptr<RepairReport> ReportOn(const Streams& streams) const {
    return format == "jsonl" ? RepairAsJsonLines(streams.out) : RepairAsText(streams.out);
  }
};

using Ending = RepairEnding::Outcome;

// --- in the first child: plan and write ----------------------------------------------------------

int WriteInto(OutputFile& file, const Repair& repair, const Input& input,
              const RepairOptions& options, const Streams& streams) {
  const RepairedSource repaired(repair.plan, input.source());
  absl::Status copied = CopyTo(repaired, file.stream());  // Flush() tells write errors
  if (copied.ok()) copied = input.Unchanged();
  if (!copied.ok()) return ComplainOf(options.path, copied, streams);
  const absl::Status flushed = file.Flush();
  return flushed.ok() ? kWritten : ComplainOfOutput(options.output, flushed, streams);
}

// PlanAndWrite runs confined. `file` was opened before; it is nullptr for --dry-run.
int PlanAndWrite(const RepairOptions& options, OutputFile* file, const Streams& streams) {
  const absl::StatusOr<Input> input = Input::Open(options.path);
  if (!input.ok()) return ComplainOf(options.path, input.status(), streams);
  const absl::StatusOr<ReadDocument> read =
      ReadDocument::Read(input->source(), PolicyOfRepair().limits);
  if (!read.ok()) return ComplainOf(options.path, read.status(), streams);
  const Repair repair = TryRepair(read->document(), input->source());
  if (!repair.io.complete()) return ComplainOf(options.path, StatusOf(repair.io), streams);
  if (const absl::Status unchanged = input->Unchanged(); !unchanged.ok()) {
    return ComplainOf(options.path, unchanged, streams);
  }
  const auto report = options.ReportOn(streams);
  switch (repair.outcome) {
    case Repair::Outcome::kRefused:
      report->Left(repair);
      report->End({.outcome = Ending::kRefused,
                   .path = options.path,
                   .changes = !repair.plan.changes.empty()});
      return kExitReject;
    case Repair::Outcome::kNothing:
      report->End({.outcome = Ending::kSound, .path = options.path});
      return kExitAccept;
    case Repair::Outcome::kRepaired:
      break;
  }
  report->Changes(repair.plan);
  report->Left(repair);
  if (file == nullptr) {
    report->End({.outcome = Ending::kPlanned, .path = options.path});
    return kExitAccept;
  }
  return WriteInto(*file, repair, *input, options, streams);
}

// --- in the second child: judge the written file -------------------------------------------------

// IsAccepted checks the written file, and prints its findings otherwise. The plan was accepted, so
// a rejected file is a fault of the first child or of the disk.
bool IsAccepted(const Input& output, const RepairOptions& options, const Streams& streams) {
  JudgeOptions judge;
  judge.policy = PolicyOfRepair();
  const FileReport report = JudgeInput(output, options.output, judge);
  if (report.verdict == Verdict::kAccept) return true;
  const ReportStyle style{.quiet = true};
  const auto reporter = MakeReporter(Format::kText, judge.policy, style, streams.error);
  reporter->Add(report);
  reporter->Finish();
  streams.error << "ggufgate: the written file is not the planned one, and was removed\n";
  return false;
}

// Judge reads the written file as any other. It does not trust the first child.
int Judge(const RepairOptions& options, int written, const Streams& streams) {
  absl::StatusOr<Input> input = Input::Open(options.path);
  if (!input.ok()) return ComplainOf(options.path, input.status(), streams);
  absl::StatusOr<Input> output = Input::Spool(written, 0);
  if (!output.ok()) return ComplainOfOutput(options.output, output.status(), streams);
  const Limits limits = PolicyOfRepair().limits;
  if (!IsAccepted(*output, options, streams)) return kExitUndecided;
  const absl::StatusOr<ReadDocument> old = ReadDocument::Read(input->source(), limits);
  if (!old.ok()) return ComplainOf(options.path, old.status(), streams);
  const absl::StatusOr<ReadDocument> repaired = ReadDocument::Read(output->source(), limits);
  if (!repaired.ok()) return ComplainOfOutput(options.output, repaired.status(), streams);
  const absl::StatusOr<std::uint64_t> same = SameTensors(WithData(old->document()), input->source(),
                                                         repaired->document(), output->source());
  absl::Status status = same.status();
  if (status.ok()) status = input->Unchanged();
  if (status.ok()) status = output->Unchanged();
  if (!status.ok()) return ComplainOf(options.path, status, streams);
  // The last line: after the file has its name, nothing can fail any more.
  options.ReportOn(streams)->End({.outcome = Ending::kWritten,
                                  .path = options.output,
                                  .tensors = repaired->document().tensors.size(),
                                  .bytes = *same});
  return kExitAccept;
}

// JudgeConfined runs Judge() in a child that cannot write to the file.
int JudgeConfined(const RepairOptions& options, const OutputFile& file, const Streams& streams) {
  const absl::StatusOr<Descriptor> written = file.OpenToRead();
  if (!written.ok()) return ComplainOfOutput(options.output, written.status(), streams);
  streams.out.flush();  // otherwise the child would write it again
  const absl::StatusOr<int> code = RunConfined(
      {.readable = {options.path},
       .descriptors = std::vector{STDOUT_FILENO, STDERR_FILENO, written->get()}},
      [&] { return Guarded([&] { return Judge(options, written->get(), streams); }, streams); });
  if (code.ok()) return *code;
  return ComplainOf("undecided", code.status(), streams);
}

// --- in the parent -------------------------------------------------------------------------------

int WriteRepaired(const RepairOptions& options, const Streams& streams) {
  const auto created = OutputFile::Create(options.output, {options.path});
  if (!created.ok()) return ComplainOfOutput(options.output, created.status(), streams);
  OutputFile& file = **created;
  if (!file.IsNamed()) {
    return ComplainOfOutput(options.output,
                            absl::FailedPreconditionError("it is not a regular file"), streams);
  }
  const int planned = GuardedAndConfined(
      {options.path}, [&] { return PlanAndWrite(options, &file, streams); }, streams);
  if (planned != kWritten) return planned;
  if (const int judged = JudgeConfined(options, file, streams); judged != kExitAccept) {
    return judged;
  }
  const absl::Status committed = file.Commit();
  return committed.ok() ? kExitAccept : ComplainOfOutput(options.output, committed, streams);
}

int RunRepair(const RepairOptions& options, const Streams& streams) {
  if (IsFolder(options.path)) return NotOneFile("repair", options.path, streams);
  if (options.path == "-" || options.output == "-") {
    return WrongUsage("repair", "repair needs files, because it reads both of them twice", streams);
  }
  if (options.output.empty() && !options.dry_run) {
    return WrongUsage("repair", "repair needs OUT, or --dry-run", streams);
  }
  if (!options.dry_run) return WriteRepaired(options, streams);
  return GuardedAndConfined(
      {options.path}, [&] { return PlanAndWrite(options, nullptr, streams); }, streams);
}

}  // namespace

void AddRepairCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<RepairOptions>();
  Command command = app.AddSubcommand(
      "repair",
      "write a copy without the faults that have one right answer\n"
      "Changes metadata, padding and the end of the file, never the data of tensors. It lists each "
      "change with its reason. It refuses a file if an error cannot be repaired in one certain "
      "way. The result is checked, and its tensors are compared with those of the old file, before "
      "it gets its name.");
  command.Footer(kRepairFooter);
  command.AddOption("IN", options->path, "The file to repair. It stays as it is.")
      .Required()
      .NotEmpty();
  command
      .AddOption("OUT", options->output,
                 "The repaired file. It appears whole or not at all; a file of that name is "
                 "replaced.")
      .NotEmpty();
  command.AddFlag("--dry-run", options->dry_run, "List the changes, and write nothing.");
  command.AddChoice("-f,--format", options->format,
                    "text (default), or jsonl: one JSON object per line, for programs.",
                    {"text", "jsonl"});
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunRepair(*options, streams); };
  });
}

}  // namespace ggufgate

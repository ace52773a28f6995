#include "cli/check/report.h"

#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <utility>

#include "gate/judge.h"
#include "gate/processes/report_wire.h"
#include "gate/processes/second_opinion.h"
#include "gate/shard_sets.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// Tally counts verdicts and makes the exit code of them: a file that is bad beyond doubt weighs
// more than one that could not be judged.
struct Tally {
  std::uint64_t accepted = 0;
  std::uint64_t rejected = 0;
  std::uint64_t undecided = 0;

  void Count(Verdict verdict) {
    ++(verdict == Verdict::kAccept ? accepted : verdict == Verdict::kReject ? rejected : undecided);
  }
  [[nodiscard]] std::uint64_t Total() const { return accepted + rejected + undecided; }
  [[nodiscard]] int ExitCode() const {
    if (rejected > 0) return kExitReject;
    // Nothing checked is nothing accepted.
    return undecided > 0 || accepted == 0 ? kExitUndecided : kExitAccept;
  }
};

void PrintTally(const Tally& tally, std::ostream& error) {
  error << tally.Total() << (tally.Total() == 1 ? " file: " : " files: ") << tally.accepted
        << " ok, " << tally.rejected << " rejected, " << tally.undecided << " undecided\n";
}

void SayNothingWasChecked(const CheckReport& how, const Streams& streams) {
  streams.error << "ggufgate: nothing was checked: no GGUF file in";
  for (const std::string& path : how.paths) streams.error << ' ' << EscapeText(path);
  streams.error << '\n';
}

FileReport Undecided(const std::string& path, absl::Status why) {
  FileReport report;
  report.path = path;
  report.problem = std::move(why);
  return report;
}

// PrintSkipped tells what a search passed over: how much, and by name what might be a broken model.
void PrintSkipped(const FoundFiles& found, const ReportStyle& style, std::ostream& error) {
  if (found.skipped_count == 0 || style.quiet) return;
  for (const FoundFiles::Skipped& skipped : found.skipped) {
    if (!skipped.suspicious && !style.verbose) continue;
    error << "skipped  " << EscapeText(skipped.path) << ": " << skipped.why << '\n';
  }
  error << found.skipped_count << (found.skipped_count == 1 ? " file" : " files") << " skipped";
  if (!style.verbose) error << " (--verbose lists them)";
  error << '\n';
}

// ReportOf is the report of a file that a frame brings, or says that none came.
FileReport ReportOf(const std::string& path, const Frame& frame, const Policy& policy) {
  if (frame.kind == FrameKind::kLoss) {
    return Undecided(path, absl::AbortedError(std::string(AsText(frame.bytes))));
  }
  std::optional<FileReport> report = ReadReport(frame.bytes, policy);
  if (!report) {
    return Undecided(path, absl::InternalError("the process that judged it sent an invalid report: "
                                               "a bug of ggufgate, or an attack"));
  }
  report->path = path;
  return *std::move(report);
}

// WithOpinion accepts only what the second reading accepts as well.
FileReport WithOpinion(FileReport report, const std::optional<Frame>& frame, const Policy& policy) {
  if (report.verdict != Verdict::kAccept) return report;
  const std::string lost = "there is no second reading of it: ";
  if (!frame) return Undecided(report.path, absl::AbortedError(lost + "none came"));
  if (frame->kind == FrameKind::kLoss) {
    return Undecided(report.path, absl::AbortedError(lost + std::string(AsText(frame->bytes))));
  }
  const std::optional<Opinion> opinion = ReadOpinion(frame->bytes);
  if (!opinion) return Undecided(report.path, absl::InternalError(lost + "it is not sound"));
  absl::Status contradiction = Contradiction(report, *opinion, policy);
  return contradiction.ok() ? std::move(report) : Undecided(report.path, std::move(contradiction));
}

}  // namespace

int PrintFound(const FoundFiles& found, const CheckReport& how, const Policy& policy,
               ProgressLine* progress, const FrameSource& reports, const FrameSource& opinions,
               const Streams& streams) {
  const std::unique_ptr<Reporter> reporter =
      MakeReporter(*FindFormat(how.format), policy, how.style, streams.out);

  Tally tally;
  const auto take = [&](const FileReport& report) {
    tally.Count(report.verdict);
    std::unique_lock<std::mutex> hidden;
    if (progress != nullptr) hidden = progress->Hide();
    reporter->Add(report);
  };
  for (const FoundFiles::Problem& problem : found.problems) {
    take(Undecided(problem.path, problem.status));
  }
  ShardSets sets(found, policy, take);
  std::size_t taken = 0;
  while (const std::optional<Frame> frame = reports()) {
    if (frame->kind == FrameKind::kProgress) {
      if (progress != nullptr) progress->Add(NumberIn(*frame).value_or(0));
    } else if (taken < found.files.size()) {
      FileReport report = ReportOf(found.files.at(taken++), *frame, policy);
      if (how.second_opinion) report = WithOpinion(std::move(report), opinions(), policy);
      sets.Take(std::move(report));
    }
  }
  for (; taken < found.files.size(); ++taken) {
    sets.Take(Undecided(found.files.at(taken), absl::AbortedError("no report of it arrived")));
  }
  if (progress != nullptr) progress->Hide();
  reporter->Finish();

  if (found.skipped_count > 0) {
    streams.out.flush();
    PrintSkipped(found, how.style, streams.error);
  }
  if (tally.Total() == 0) {
    SayNothingWasChecked(how, streams);
  } else if (how.into_file || (tally.Total() > 1 && how.format == "text")) {
    streams.out.flush();
    PrintTally(tally, streams.error);
  }
  return tally.ExitCode();
}

}  // namespace ggufgate

#include "cli/check/report.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/check/rehearsals.h"
#include "format/contracts/contract_table.h"
#include "gate/file_report.h"
#include "gate/processes/received_report.h"
#include "gate/shard_sets.h"
#include "report/summary_reporter.h"
#include "stores/store_reports.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Tally counts verdicts and computes the exit code. A rejected file has priority over an undecided
// one.
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
    // If no file was checked, the result is undecided.
    return undecided > 0 || accepted == 0 ? kExitUndecided : kExitAccept;
  }
};

void PrintTally(const Tally& tally, std::ostream& error) {
  error << tally.Total() << (tally.Total() == 1 ? " file: " : " files: ") << tally.accepted
        << " ok, " << tally.rejected << " rejected, " << tally.undecided << " undecided\n";
}

void SayNothingWasChecked(const CheckReport& how, const Streams& streams) {
  constexpr std::size_t kMostNamed = 10;  // a list may hold a million
  streams.error << "ggufgate: nothing was checked: "
                << (how.paths.empty() ? "the list is empty" : "no GGUF file in");
  for (std::size_t i = 0; i < std::min(how.paths.size(), kMostNamed); ++i) {
    streams.error << ' ' << EscapeText(how.paths.at(i));
  }
  if (how.paths.size() > kMostNamed) {
    streams.error << " and " << Grouped(how.paths.size() - kMostNamed) << " more";
  }
  streams.error << '\n';
}

void SayNothingWasCompared(const Streams& streams) {
  streams.out.flush();
  streams.error << "ggufgate: --verify-digest found nothing to compare: no file has its SHA-256 as "
                   "name; omit the option, or compare with a manifest (ggufgate verify)\n";
}

// SayContracts names the contracts of --contracts, if the report does not.
void SayContracts(const Policy& policy, const CheckReport& how, const Streams& streams) {
  const bool in_report = how.style.run && !how.summary;
  if (in_report || how.style.quiet) return;
  for (const auto& loader : policy.loaders) {
    if (loader->IsCompiledIn()) continue;
    streams.out.flush();
    streams.error << "contracts of " << EscapeText(loader->release()) << ", SHA-256 "
                  << loader->sha256() << '\n';
  }
}

// PrintSkipped prints how many files a search has skipped, and the names of those that may be
// broken models.
void PrintSkipped(const FoundFiles& found, const ReportStyle& style, std::ostream& error) {
  if (found.skipped_count == 0 || style.quiet) return;
  for (const FoundFiles::Skipped& skipped : found.skipped) {
    if (!skipped.suspicious && !style.verbose) continue;
    error << "skipped  " << EscapeText(skipped.path) << ": " << skipped.why << '\n';
  }
  error << found.skipped_count << (found.skipped_count == 1 ? " file" : " files") << " skipped";
  if (!style.verbose) error << "; --verbose lists " << (found.skipped_count == 1 ? "it" : "them");
  error << '\n';
}

// AsTold returns the files with their names for reports: models instead of blobs.
FoundFiles AsTold(const FoundFiles& found, const ModelStores& stores) {
  FoundFiles told;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    if (stores.HasFile(i)) continue;
    told.files.push_back(found.files.at(i));
    told.searched.push_back(found.searched.at(i));
  }
  for (std::string& name : ReportNames(stores)) {
    told.files.push_back(std::move(name));
    told.searched.push_back(true);
  }
  return told;
}

// NameNext shows the next file in the progress line.
void NameNext(const FoundFiles& found, std::size_t taken, ProgressLine* progress) {
  if (progress == nullptr) return;
  progress->NextFile(taken, taken < found.files.size() ? found.files.at(taken) : std::string());
}

}  // namespace

int PrintFound(const FoundFiles& found, const KnownByName& known, const CheckReport& how,
               const Policy& policy, ProgressLine* progress, const FrameSource& reports,
               const FrameSource& opinions, const Streams& streams) {
  const Format format = *FindFormat(how.format);
  const ModelStores& stores = known.stores;
  const std::unique_ptr<Reporter> reporter =
      how.summary ? MakeSummaryReporter(format, how.style, streams.out)
                  : MakeReporter(format, policy, how.style, streams.out);

  if (progress != nullptr) {
    ProgressLine::WipeWhenKilled();
    if (policy.data == DataScan::kNone) progress->CountFiles();
  }
  Tally tally;
  const auto add = [&](const FileReport& report) {
    tally.Count(report.verdict);
    std::unique_lock<std::mutex> hidden;
    // Hides the progress line only if the report goes to a terminal.
    if (progress != nullptr && streams.columns > 0 && !how.summary) hidden = progress->Hide();
    reporter->Add(report);
  };
  const auto take = [&](const FileReport& report) {
    if (how.rehearsals == nullptr) return add(report);
    add(how.rehearsals->AfterRehearsal(report, policy));
  };
  for (const FoundFiles::Problem& problem : found.problems) {
    take(UndecidedFile(problem.path, problem.status));
  }
  const FoundFiles told = AsTold(found, stores);
  ShardSets sets(told, policy, take);
  StoreReports models(stores, policy, how.digests,
                      [&](FileReport report) { sets.Take(std::move(report)); });
  std::size_t taken = 0;
  std::size_t compared = 0;  // digests of files outside of stores
  NameNext(found, taken, progress);
  const auto take_file = [&](FileReport report) {
    const std::size_t file = taken++;
    if (stores.HasFile(file)) {
      models.Take(std::move(report));
    } else {
      if (how.digests && known.named.Compare(file, policy, report)) ++compared;
      report.number = file;
      sets.Take(std::move(report));
    }
    NameNext(found, taken, progress);
  };
  while (const std::optional<Frame> frame = reports()) {
    if (frame->kind == FrameKind::kProgress) {
      if (progress != nullptr) progress->Add(NumberIn(*frame).value_or(0));
    } else if (taken < found.files.size()) {
      FileReport report = ReceiveReport(found.files.at(taken), *frame, policy);
      if (how.second_opinion) report = WithOpinion(std::move(report), opinions(), policy);
      take_file(std::move(report));
    }
  }
  while (taken < found.files.size()) {
    take_file(
        UndecidedFile(found.files.at(taken), absl::AbortedError("its report did not arrive")));
  }
  models.Finish();
  if (progress != nullptr) progress->Hide();
  reporter->Finish();

  if (found.skipped_count > 0) {
    streams.out.flush();
    PrintSkipped(found, how.style, streams.error);
  }
  SayContracts(policy, how, streams);
  if (tally.Total() == 0) {
    SayNothingWasChecked(how, streams);
  } else if (how.into_file || (how.format == "text" && (tally.Total() > 1 || how.summary))) {
    streams.out.flush();
    PrintTally(tally, streams.error);
  }
  const bool in_vain = how.digests_wanted && compared + models.compared() == 0;
  if (!in_vain || tally.Total() == 0) return tally.ExitCode();
  SayNothingWasCompared(streams);
  return tally.ExitCode() == kExitAccept ? kExitUndecided : tally.ExitCode();
}

}  // namespace ggufgate

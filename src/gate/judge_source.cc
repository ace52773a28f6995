#include "gate/judge_source.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "check/suppression.h"
#include "gate/reading/read_document.h"
#include "gate/reading/recorded_source.h"
#include "gate/steps/judgement.h"
#include "gate/threads/work_sharer.h"
#include "parse/extent.h"

namespace ggufgate {
namespace {

using Clock = std::chrono::steady_clock;

// DataProgress reports the data bytes that are read, and at its end the rest of the file.
class DataProgress {
 public:
  DataProgress(const ByteSource& source, const JudgeOptions& options)
      : options_(options), size_(source.size()) {}
  DataProgress(const DataProgress&) = delete;
  DataProgress& operator=(const DataProgress&) = delete;
  ~DataProgress() {
    const std::uint64_t told = told_;
    if (options_.on_progress && told < size_) options_.on_progress(size_ - told);
  }

  void Add(std::uint64_t bytes) {
    told_ += bytes;
    options_.on_progress(bytes);
  }

 private:
  const JudgeOptions& options_;
  std::uint64_t size_;
  std::atomic<std::uint64_t> told_ = 0;
};

CheckHooks HooksFor(const JudgeOptions& options, DataProgress& progress) {
  CheckHooks hooks;
  hooks.run_together = RunnerOf(options.sharer);
  if (options.on_progress) {
    hooks.on_read = [&progress](std::uint64_t bytes) { progress.Add(bytes); };
  }
  return hooks;
}

// Feed gives a judgement the bytes that it wants from a source. `memory` holds the front, which the
// judgement views.
absl::Status Feed(Judgement& judgement, const ByteSource& source, const Policy& policy,
                  const CheckHooks& hooks, PrefixMemory& memory, FileReport& report) {
  const auto give = [&](Bytes front) { return judgement.GiveFront(front, source.size()); };
  if (absl::Status read = ReadFront(source, judgement.front(), give, memory); !read.ok()) {
    return read;
  }
  const Document& document = judgement.document();
  report.shard = ShardFactsOf(document);
  judgement.GiveData(policy.data == DataScan::kNone
                         ? DataScanResult()
                         : ScanData(document, ExtentsOf(document), source, policy, hooks));
  return StatusOf(judgement.RunRules(source, report));
}

// JudgeByDigest adds the digest of the bytes that were checked, if requested. It also applies the
// suppressions of the policy for that digest.
absl::Status JudgeByDigest(const RecordedSource& source, const JudgeOptions& options,
                           const CheckHooks& hooks, FileReport& report) {
  const bool pinned = NeedsDigest(options.policy, report.findings);
  if (!options.sha256 && !pinned) return absl::OkStatus();
  absl::StatusOr<std::string> digest = source.Sha256();
  if (!digest.ok()) return digest.status();
  report.sha256 = *std::move(digest);
  if (!pinned || !NamesDigest(options.policy, *report.sha256)) return absl::OkStatus();
  // Only for a digest that the policy names. The bytes that were not kept are read again, and must
  // be the same.
  const Policy policy = ForDigest(options.policy, *report.sha256);
  Judgement judgement(source.size(), policy, GrowthFor(source));
  PrefixMemory memory;
  if (absl::Status io = Feed(judgement, source, policy, hooks, memory, report); !io.ok()) return io;
  const absl::StatusOr<std::string> again = source.Sha256();
  if (!again.ok()) return again.status();
  if (*again == *report.sha256) return absl::OkStatus();
  return absl::AbortedError("the file changed while it was read");
}

// Examine fills in the report. If reading fails, the report stays undecided.
absl::Status Examine(const ByteSource& source, const JudgeOptions& options, FileReport& report) {
  DataProgress progress(source, options);
  std::unique_ptr<RecordedSource> recorded;
  // If a digest may be needed, all reads must be recorded from the start.
  if (options.sha256 || NamesAnyDigest(options.policy)) {
    absl::StatusOr<std::unique_ptr<RecordedSource>> begun = RecordedSource::Begin(source);
    if (!begun.ok()) return begun.status();
    recorded = *std::move(begun);
  }
  const ByteSource& judged = recorded != nullptr ? *recorded : source;
  const CheckHooks hooks = HooksFor(options, progress);
  Judgement judgement(judged.size(), options.policy, GrowthFor(judged));
  PrefixMemory memory;
  absl::Status io = Feed(judgement, judged, options.policy, hooks, memory, report);
  if (io.ok() && recorded != nullptr) io = JudgeByDigest(*recorded, options, hooks, report);
  if (!io.ok()) {
    report.verdict = Verdict::kUndecided;
    report.sha256.reset();
  }
  return io;
}

}  // namespace

FileReport JudgeSource(const ByteSource& source, const std::string& path,
                       const JudgeOptions& options) {
  const Clock::time_point begin = Clock::now();
  FileReport report;
  report.path = path;
  report.data = options.policy.data;
  report.identity.size = source.size();
  report.problem = Examine(source, options, report);
  report.elapsed = Clock::now() - begin;
  return report;
}

}  // namespace ggufgate

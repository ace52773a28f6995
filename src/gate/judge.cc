#include "gate/judge.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "check/check.h"
#include "check/suppression.h"
#include "check/verdict.h"
#include "gate/judge_stream.h"
#include "gate/reading/digest.h"
#include "gate/reading/read_document.h"
#include "gate/reading/recorded_source.h"
#include "gate/threads/work_sharer.h"

namespace ggufgate {
namespace {

using Clock = std::chrono::steady_clock;

FileReport Undecided(const std::string& path, absl::Status problem) {
  FileReport report;
  report.path = path;
  report.problem = std::move(problem);
  return report;
}

// DataProgress tells of the data that are read, and at its end of the rest of the file.
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

// JudgeBytes fills in what the bytes say.
absl::Status JudgeBytes(const Document& document, const ByteSource& source, const Policy& policy,
                        const CheckHooks& hooks, FileReport& report) {
  CheckResult checked = Check(document, source, policy, hooks);
  report.findings = std::move(checked.findings);
  return StatusOf(checked.io);
}

// JudgeByDigest adds the digest of what was judged, where it is wanted, and what the policy says of
// the file of that digest.
absl::Status JudgeByDigest(const Document& document, const RecordedSource& source,
                           const JudgeOptions& options, const CheckHooks& hooks,
                           FileReport& report) {
  const bool pinned = NeedsDigest(options.policy, report.findings);
  if (!options.sha256 && !pinned) return absl::OkStatus();
  absl::StatusOr<std::string> digest = source.Sha256();
  if (!digest.ok()) return digest.status();
  report.sha256 = *std::move(digest);
  if (!pinned || !NamesDigest(options.policy, *report.sha256)) return absl::OkStatus();
  // Only for a file that the policy names. What was not kept must be looked at again, and then be
  // the same bytes again.
  const Policy policy = ForDigest(options.policy, *report.sha256);
  if (absl::Status io = JudgeBytes(document, source, policy, hooks, report); !io.ok()) return io;
  const absl::StatusOr<std::string> again = source.Sha256();
  if (!again.ok()) return again.status();
  if (*again == *report.sha256) return absl::OkStatus();
  return absl::AbortedError("the file changed while it was read");
}

// Examine fills in the report, which stays undecided when reading fails.
absl::Status Examine(const ByteSource& source, const JudgeOptions& options, FileReport& report) {
  DataProgress progress(source, options);
  std::unique_ptr<RecordedSource> recorded;
  // What is read must be recorded from the start where a digest may be wanted.
  if (options.sha256 || NamesAnyDigest(options.policy)) {
    absl::StatusOr<std::unique_ptr<RecordedSource>> begun = RecordedSource::Begin(source);
    if (!begun.ok()) return begun.status();
    recorded = *std::move(begun);
  }
  const ByteSource& judged = recorded != nullptr ? *recorded : source;
  absl::StatusOr<ReadDocument> read = ReadDocument::Read(judged, options.policy.limits);
  if (!read.ok()) return read.status();
  const Document& document = read->document();
  const CheckHooks hooks = HooksFor(options, progress);
  report.summary = Summarise(document);
  report.shard = ShardFactsOf(document);
  absl::Status io = JudgeBytes(document, judged, options.policy, hooks, report);
  if (io.ok() && recorded != nullptr) {
    io = JudgeByDigest(document, *recorded, options, hooks, report);
  }
  if (!io.ok()) {
    report.sha256.reset();
    return io;
  }
  report.verdict = VerdictOf(report.findings, options.policy);
  return absl::OkStatus();
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

FileReport JudgeInput(const Input& input, const std::string& path, const JudgeOptions& options) {
  FileReport report = JudgeSource(input.source(), path, options);
  report.identity = input.identity();
  // What was read may be a mixture of two files: then nothing that was found counts.
  if (absl::Status unchanged = input.Unchanged(); !unchanged.ok()) {
    report.verdict = Verdict::kUndecided;
    report.problem = std::move(unchanged);
  }
  return report;
}

FileReport JudgeBlob(const std::string& path, const JudgeOptions& options) try {
  const Clock::time_point begin = Clock::now();
  const absl::StatusOr<Input> input = Input::Open(path);
  if (!input.ok()) return Undecided(path, input.status());
  FileReport report;
  report.path = path;
  report.data = options.policy.data;
  report.identity = input->identity();
  if (options.sha256) {
    absl::StatusOr<std::string> digest = Sha256Of(input->source());
    if (!digest.ok()) return Undecided(path, digest.status());
    report.sha256 = *std::move(digest);
  }
  if (options.on_progress) options.on_progress(report.identity.size);
  if (absl::Status unchanged = input->Unchanged(); !unchanged.ok()) {
    return Undecided(path, std::move(unchanged));
  }
  report.verdict = Verdict::kAccept;
  report.elapsed = Clock::now() - begin;
  return report;
} catch (const std::bad_alloc&) {
  return Undecided(path, absl::ResourceExhaustedError("out of memory"));
}

FileReport JudgeDescriptor(int descriptor, const std::string& path, const JudgeOptions& options) {
  const absl::StatusOr<bool> pipe = IsPipe(descriptor);
  if (!pipe.ok()) return Undecided(path, pipe.status());
  // A file that goes on elsewhere has no digest to be suppressed by, nor has one that is passed on
  // before it is known.
  if (options.total_size || options.pass_to || (*pipe && !NamesAnyDigest(options.policy))) {
    return JudgeStream(descriptor, path, options);
  }
  const absl::StatusOr<Input> input = Input::Spool(descriptor, options.most_spooled);
  if (!input.ok()) return Undecided(path, input.status());
  return JudgeInput(*input, path, options);
}

FileReport JudgePath(const std::string& path, const JudgeOptions& options) try {
  const Clock::time_point begin = Clock::now();
  FileReport report;
  if (path == "-") {
    report = JudgeDescriptor(STDIN_FILENO, path, options);
  } else {
    const absl::StatusOr<Input> input = Input::Open(path);
    if (!input.ok()) return Undecided(path, input.status());
    report = JudgeInput(*input, path, options);
  }
  report.elapsed = Clock::now() - begin;
  return report;
} catch (const std::bad_alloc&) {
  return Undecided(path, absl::ResourceExhaustedError("out of memory"));
}

}  // namespace ggufgate

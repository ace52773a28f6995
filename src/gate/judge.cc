#include "gate/judge.h"

#include <unistd.h>

#include <chrono>
#include <new>
#include <utility>

#include "check/suppression.h"
#include "gate/judge_source.h"
#include "gate/reading/digest.h"
#include "gate/streams/judge_stream.h"

namespace ggufgate {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

FileReport JudgeInput(const Input& input, const std::string& path, const JudgeOptions& options) {
  FileReport report = JudgeSource(input.source(), path, options);
  report.identity = input.identity();
  // The bytes read may be a mixture of two files, so no finding counts.
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
  // JudgeStream cannot apply suppressions by digest. A partial file has no digest, and the output
  // of a stream that is passed on begins before its digest is known. So both cases use JudgeStream.
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

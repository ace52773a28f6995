#include "gate/remote/judge_remote.h"

#include <cerrno>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "absl/status/statusor.h"
#include "check/suppression.h"
#include "gate/judge_source.h"
#include "gate/remote/remote_file.h"
#include "gate/remote/remote_source.h"
#include "gate/streams/judge_stream.h"

namespace ggufgate {
namespace {

void MakeUndecided(FileReport& report, absl::Status why) {
  report.verdict = Verdict::kUndecided;
  report.problem = std::move(why);
}

FileReport JudgeByRanges(RemoteFile& file, const std::string& path, const JudgeOptions& options) {
  const absl::StatusOr<std::unique_ptr<RemoteSource>> source = RemoteSource::Open(file);
  FileReport report;
  if (source.ok()) {
    report = JudgeSource(**source, path, options);
    if ((*source)->too_many_pieces()) {
      MakeUndecided(report, absl::ResourceExhaustedError(
                                "the bytes to check are in too many places for separate requests; "
                                "use --data full, which reads the whole file"));
    }
  }
  return report;
}

FileReport JudgePassing(RemoteFile& file, const std::string& path, const JudgeOptions& options) {
  FileReport report;
  if (!file.StartStream().ok()) return report;
  JudgeOptions of_stream = options;
  of_stream.total_size = file.facts().size;
  const auto read = [&file](MutableBytes out) -> ssize_t {
    const absl::StatusOr<std::size_t> got = file.TakeStream(out);
    if (got.ok()) return static_cast<ssize_t>(*got);
    errno = EIO;
    return -1;
  };
  report = JudgeStream(read, path, of_stream);
  if (absl::IsFailedPrecondition(report.problem)) {
    report.problem = absl::FailedPreconditionError(
        "parts of it must be read twice, but it came as a stream; fetch it, then check the file");
  }
  return report;
}

}  // namespace

FileReport JudgeRemote(ChannelPool& channels, std::uint32_t number, const std::string& path,
                       const JudgeOptions& options) try {
  const auto begin = std::chrono::steady_clock::now();
  ChannelPool::Loan channel(channels);
  RemoteFile file(channel.socket(), number);
  const bool all = options.policy.data != DataScan::kNone || options.sha256;
  FileReport report = all && !NamesAnyDigest(options.policy) ? JudgePassing(file, path, options)
                                                             : JudgeByRanges(file, path, options);
  report.path = path;
  report.data = options.policy.data;
  report.remote = file.facts();
  report.elapsed = std::chrono::steady_clock::now() - begin;
  if (!file.problem().ok()) MakeUndecided(report, file.problem());
  if (file.at_rest()) channel.NoteAtRest();
  return report;
} catch (const std::bad_alloc&) {
  FileReport report;
  report.path = path;
  report.problem = absl::ResourceExhaustedError("out of memory");
  return report;
}

Opinion AskWitnessOfRemote(ChannelPool& channels, std::uint32_t number, SecondOpinion wanted,
                           const Policy& policy) {
  if (wanted == SecondOpinion::kNever) return {};
  ChannelPool::Loan channel(channels);
  RemoteFile file(channel.socket(), number);
  const absl::StatusOr<std::unique_ptr<RemoteSource>> source = RemoteSource::Open(file);
  Opinion opinion{.kind = Opinion::Kind::kFailed};
  if (source.ok()) opinion = AskWitness(**source, wanted, policy);
  if (file.at_rest()) channel.NoteAtRest();
  return opinion;
}

}  // namespace ggufgate

#include "gate/streams/judge_stream.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "bytes/memory_source.h"
#include "check/data_scan.h"
#include "gate/judge_source.h"
#include "gate/reading/stream_source.h"
#include "gate/steps/judgement.h"
#include "gate/streams/judge_passing.h"
#include "gate/threads/work_sharer.h"
#include "parse/extent.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// Number of bytes kept at the start of the data, because another kind of file may begin there.
constexpr std::uint64_t kDataHead = std::uint64_t{64} << 10;

absl::Status StatusOfStream(const ReadOutcome& outcome) {
  if (outcome.complete()) return absl::OkStatus();
  if (outcome.kind == ReadOutcome::Kind::kFailed && outcome.error_number == ESPIPE) {
    return absl::FailedPreconditionError(
        "parts of it must be read twice, but it came through a pipe; give the file's name, or "
        "redirect it with <");
  }
  if (outcome.error_number == EFBIG) {
    return absl::FailedPreconditionError("more bytes came through the pipe than the file has");
  }
  return absl::ErrnoToStatus(outcome.error_number, "cannot read standard input");
}

absl::Status MoreNeeded(std::uint64_t bytes, const char* what) {
  return absl::OutOfRangeError(absl::StrCat(Grouped(bytes), " more bytes are needed", what));
}

absl::Status CannotPass(const PassThrough& pass) {
  return absl::ErrnoToStatus(pass.error_number(), "cannot write the checked bytes");
}

// HoldMetadata reads until the stream holds all metadata or has ended.
absl::Status HoldMetadata(StreamSource& stream, Judgement& judgement) {
  const FrontSteps& steps = judgement.front();
  absl::Status held;
  const auto more = [&]() -> std::optional<Bytes> {
    if (stream.ended()) {
      held = MoreNeeded(steps.needed() - stream.came(), ", at least, to read its metadata");
    } else {
      held = StatusOfStream(stream.Hold(steps.wanted()));
    }
    return held.ok() ? std::optional<Bytes>(stream.front()) : std::nullopt;
  };
  const auto give = [&](Bytes front) { return judgement.GiveFront(front, stream.size()); };
  return GrowFront(more, give) ? absl::OkStatus() : held;
}

// DataOf returns the ranges of tensor data, which need not be kept.
std::vector<ByteRange> DataOf(const Document& document, std::span<const Extent> extents) {
  std::vector<ByteRange> ranges;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), extents[i]);
    if (range && range->size > 0) ranges.push_back(*range);
  }
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  std::uint64_t end = ranges.empty() ? 0 : ranges.front().begin + kDataHead;
  for (ByteRange& range : ranges) {
    const std::uint64_t range_end = range.End();
    range = ByteRange::Between(std::min(std::max(range.begin, end), range_end), range_end);
    end = std::max(end, range_end);
  }
  std::erase_if(ranges, [](const ByteRange& range) { return range.size == 0; });
  return ranges;
}

// ScanPassing checks the tensor data as they pass, and reads the rest of the stream. The end of the
// stream is unknown before, so a truncated tensor is not a read error.
absl::StatusOr<DataScanResult> ScanPassing(const Document& document, StreamSource& stream,
                                           const JudgeOptions& options, PassThrough* pass) {
  const std::vector<Extent> extents = ExtentsOf(document);
  stream.Forget(DataOf(document, extents));
  DataScanResult scanned =
      ScanData(document, extents, stream, options.policy,
               pass != nullptr ? StoppingAt(*pass, options.policy)
                               : CheckHooks{.run_together = RunnerOf(options.sharer)});
  if (pass != nullptr && pass->stopped()) return scanned;
  if (stream.ended() && scanned.io.kind == ReadOutcome::Kind::kShrunk) scanned.io = {};
  if (!scanned.io.complete()) return StatusOfStream(scanned.io);
  if (const ReadOutcome read = stream.Finish(); !read.complete()) return StatusOfStream(read);
  return scanned;
}

// Examine checks a stream that continues after the metadata. It passes the stream to `pass` unless
// that is null.
absl::Status Examine(StreamSource& stream, Judgement& judgement, const JudgeOptions& options,
                     FileReport& report, PassThrough* pass) {
  const Document& begun = judgement.document();
  if (pass != nullptr) {
    if (RejectsHeader(stream, begun, options, report)) return absl::OkStatus();
    const std::uint64_t metadata = begun.directory_end;
    if (!PassMetadata(stream.front().first(metadata), *pass)) return CannotPass(*pass);
    stream.PassTo(*pass, metadata);
  }
  absl::StatusOr<DataScanResult> scanned = ScanPassing(begun, stream, options, pass);
  if (pass != nullptr && pass->error_number() != 0) return CannotPass(*pass);
  if (!scanned.ok()) return scanned.status();
  if (pass != nullptr && pass->stopped()) {
    RejectAsFar(stream, begun, options, *std::move(scanned), report);
    return report.problem;
  }
  report.identity.size = stream.size();
  const std::uint64_t missing = stream.size() - stream.came();
  if (missing > 0) report.came = stream.came();
  if (missing > 0 && options.policy.data != DataScan::kNone) {
    return MoreNeeded(missing, " to check the tensor data");
  }
  judgement.GiveData(*std::move(scanned));
  // Parses the front again, now that the length of the file is known.
  if (!judgement.End(stream.front(), stream.size())) {
    return absl::InternalError("the second read of the metadata found another end");
  }
  report.shard = ShardFactsOf(judgement.document());
  if (const ReadOutcome io = judgement.RunRules(stream, report); !io.complete()) {
    return StatusOfStream(io);
  }
  if (options.sha256 && missing == 0) {
    absl::StatusOr<std::string> digest = stream.Digest();
    if (!digest.ok()) {
      report.verdict = Verdict::kUndecided;
      return digest.status();
    }
    report.sha256 = *std::move(digest);
  }
  return absl::OkStatus();
}

using Stream = absl::StatusOr<std::unique_ptr<StreamSource>>;

absl::Status JudgeFrom(const Stream& stream, const JudgeOptions& options, FileReport& report,
                       PassThrough* pass) {
  if (!stream.ok()) return stream.status();
  Judgement judgement((*stream)->size(), options.policy, kPipeGrowth);
  if (absl::Status held = HoldMetadata(**stream, judgement); !held.ok()) return held;
  const bool whole = (*stream)->ended() && (*stream)->came() == (*stream)->size();
  if (!whole) return Examine(**stream, judgement, options, report, pass);
  const Bytes all = (*stream)->front();
  report = JudgeSource(MemorySource(all), report.path, options);
  if (pass != nullptr && report.verdict == Verdict::kAccept) pass->Take(all);
  return report.problem;
}

// Judge writes the bytes held back after the file is accepted.
absl::Status Judge(const Stream& stream, const JudgeOptions& options, FileReport& report) {
  if (!options.pass_to) return JudgeFrom(stream, options, report, nullptr);
  PassThrough pass(*options.pass_to);
  absl::Status judged = JudgeFrom(stream, options, report, &pass);
  if (report.verdict != Verdict::kAccept || pass.Finish()) return judged;
  report.verdict = Verdict::kUndecided;
  return CannotPass(pass);
}

FileReport JudgeBegun(const Stream& stream, const std::string& path, const JudgeOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  FileReport report;
  report.path = path;
  report.data = options.policy.data;
  report.problem = Judge(stream, options, report);
  report.elapsed = std::chrono::steady_clock::now() - begin;
  return report;
}

}  // namespace

FileReport JudgeStream(int descriptor, const std::string& path, const JudgeOptions& options) {
  return JudgeBegun(StreamSource::Begin(descriptor, options.sha256, options.total_size), path,
                    options);
}

FileReport JudgeStream(const StreamSource::ReadSome& read, const std::string& path,
                       const JudgeOptions& options) {
  return JudgeBegun(StreamSource::Begin(read, options.sha256, options.total_size), path, options);
}

}  // namespace ggufgate

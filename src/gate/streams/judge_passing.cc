#include "gate/streams/judge_passing.h"

#include <algorithm>
#include <span>
#include <utility>

#include "bytes/hollow_source.h"
#include "check/verdict.h"
#include "parse/extent.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

// LikelySize returns the length of the file according to its header.
std::uint64_t LikelySize(const StreamSource& stream, const Document& begun,
                         const JudgeOptions& options) {
  if (options.total_size) return *options.total_size;
  const std::vector<Extent> extents = ExtentsOf(begun);
  std::uint64_t end = stream.came();
  for (std::size_t i = 0; i < begun.tensors.size(); ++i) {
    const auto range = DataRange(begun, begun.tensors.at(i), extents[i]);
    if (range && range->FitsIn(begun.file_size)) end = std::max(end, range->End());
  }
  return end;
}

// Reject checks the front, followed by zeros, and reports the faults in `scanned`, too.
bool Reject(const StreamSource& stream, const Document& begun, const JudgeOptions& options,
            DataScanResult scanned, FileReport& report) {
  const HollowSource hollow(stream.front(), LikelySize(stream, begun, options));
  // A fault that any file size would cause is kept with the size that it names, so that no other
  // fault replaces it.
  const ParseResult parsed = begun.fault
                                 ? ParseResult{.document = begun}
                                 : Parse(stream.front(), hollow.size(), options.policy.limits);
  if (parsed.NeedsMore()) return false;
  scanned.io = {};
  CheckResult checked = CheckScanned(parsed.document, hollow, options.policy, std::move(scanned));
  if (VerdictOf(checked.findings, options.policy) == Verdict::kAccept) return false;
  report.summary = Summarise(parsed.document);
  report.shard = ShardFactsOf(parsed.document);
  report.findings = std::move(checked.findings);
  report.identity.size = stream.came();
  report.came = stream.came();
  report.verdict = Verdict::kReject;
  return true;
}

}  // namespace

bool RejectsHeader(const StreamSource& stream, const Document& begun, const JudgeOptions& options,
                   FileReport& report) {
  return Reject(stream, begun, options, {}, report);
}

void RejectAsFar(const StreamSource& stream, const Document& begun, const JudgeOptions& options,
                 DataScanResult scanned, FileReport& report) {
  if (Reject(stream, begun, options, std::move(scanned), report)) return;
  report.problem = absl::InternalError("the finding that stopped the stream was not found again");
}

bool PassMetadata(Bytes metadata, PassThrough& pass) {
  constexpr std::size_t kPiece = std::size_t{128} << 10;
  while (!metadata.empty()) {
    const Bytes piece = metadata.first(std::min(metadata.size(), kPiece));
    pass.Take(piece);
    if (!pass.Settle()) return false;
    metadata = metadata.subspan(piece.size());
  }
  return true;
}

CheckHooks StoppingAt(PassThrough& pass, const Policy& policy) {
  return {.on_faults = [&pass, &policy](std::span<const std::uint64_t> counts) {
    if (RejectsAtOnce(counts, policy)) pass.Stop();
  }};
}

}  // namespace ggufgate

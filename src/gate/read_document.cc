#include "gate/read_document.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "bytes/audited.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kFirstRead = std::uint64_t{1} << 20;
constexpr std::uint64_t kGrowth = 8;

MutableBytes Whole(const std::unique_ptr<std::uint8_t[]>& memory, std::uint64_t size) {
  GGUFGATE_AUDITED_BEGIN  // `memory` was allocated with `size` bytes by the only caller
      return {memory.get(), size};
  GGUFGATE_AUDITED_END
}

}  // namespace

absl::Status StatusOf(const ReadOutcome& outcome) {
  switch (outcome.kind) {
    case ReadOutcome::Kind::kComplete:
      return absl::OkStatus();
    case ReadOutcome::Kind::kShrunk:
      return absl::AbortedError("the file became shorter while it was read");
    case ReadOutcome::Kind::kFailed:
      return absl::ErrnoToStatus(outcome.error_number, "cannot read");
  }
  return absl::InternalError("unknown outcome of a read");
}

absl::StatusOr<ReadDocument> ReadDocument::Read(const ByteSource& source, const Limits& limits) {
  ReadDocument result;
  std::uint64_t held = 0;
  std::uint64_t wanted = std::min(source.size(), kFirstRead);
  while (true) {
    auto grown = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
    const MutableBytes bytes = Whole(grown, wanted);
    std::ranges::copy(Whole(result.prefix_, held), bytes.begin());
    const ReadOutcome outcome = source.ReadAt(held, bytes.subspan(held));
    if (!outcome.complete()) return StatusOf(outcome);
    result.prefix_ = std::move(grown);
    held = wanted;

    ParseResult parsed = Parse(bytes, source.size(), limits);
    if (!parsed.NeedsMore()) {
      result.document_ = std::move(parsed.document);
      return result;
    }
    // Parse asks for bytes past the prefix and inside the file, so this always grows.
    wanted = std::min(source.size(), std::max(parsed.bytes_needed, held * kGrowth));
  }
}

}  // namespace ggufgate

#include "gate/read_document.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "bytes/audited.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kFirstRead = std::uint64_t{1} << 19;
constexpr std::uint64_t kGrowth = 16;
// Room that is set aside at once, and costs nothing until something is read into it.
constexpr std::uint64_t kFirstRoom = kFirstRead * kGrowth;

MutableBytes Whole(const std::unique_ptr<std::uint8_t[]>& memory, std::uint64_t size) {
  GGUFGATE_AUDITED_BEGIN  // the only caller has allocated `memory` with at least `size` bytes
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
  std::uint64_t room = std::min(source.size(), kFirstRoom);
  result.prefix_ = std::make_unique_for_overwrite<std::uint8_t[]>(room);
  std::uint64_t held = 0;
  std::uint64_t wanted = std::min(source.size(), kFirstRead);
  while (true) {
    if (wanted > room) {
      auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(wanted);
      std::ranges::copy(Whole(result.prefix_, held), Whole(larger, wanted).begin());
      result.prefix_ = std::move(larger);
      room = wanted;
    }
    const MutableBytes bytes = Whole(result.prefix_, wanted);
    const ReadOutcome outcome = source.ReadAt(held, bytes.subspan(held));
    if (!outcome.complete()) return StatusOf(outcome);
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

// Rules about the file as a whole. Most container rules are faults of the parser; see faults.cc.

#include <algorithm>
#include <array>

#include "check/sink.h"

namespace ggufgate {

void CheckByteOrder(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (document.version == 0) return;  // the header was not understood
  const bool big = document.byte_order == ByteOrder::kBig;
  const TargetOrder target = context.policy.target;
  if (target == TargetOrder::kAny || (target == TargetOrder::kBig) == big) return;
  sink.Add({.where = {.begin = kMagic.size(), .size = 4},
            .subject = {.section = Place::Section::kHeader},
            .observed = std::uint64_t{document.version},
            .wording = static_cast<std::uint8_t>(big ? 1 : 2)});
}

void CheckTrailingBytes(const Context& context, Sink& sink) {
  for (const Region& region : context.regions) {
    if (region.kind != Region::Kind::kTrailing) continue;
    sink.Add({.where = region.range, .observed = region.range.size});
  }
}

namespace {

// FirstNonZero gives the place in the file of the first byte of `range` that is not 0, or its end.
std::uint64_t FirstNonZero(const Context& context, ByteRange range, MutableBytes scratch,
                           std::uint8_t& value) {
  while (range.size > 0) {
    const ByteRange chunk{range.begin, std::min<std::uint64_t>(range.size, scratch.size())};
    const Bytes bytes = context.View(chunk, scratch);
    if (bytes.empty()) break;  // a failed read; the context has noted it
    const auto found = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
    if (found != bytes.end()) {
      value = *found;
      return chunk.begin + static_cast<std::uint64_t>(found - bytes.begin());
    }
    range = ByteRange::Between(chunk.End(), range.End());
  }
  return range.End();
}

}  // namespace

void CheckPaddingNotZero(const Context& context, Sink& sink) {
  std::array<std::uint8_t, 16 * 1024> scratch;
  for (const Region& region : context.regions) {
    if (region.kind != Region::Kind::kPadding && region.kind != Region::Kind::kGap) continue;
    std::uint8_t value = 0;
    const std::uint64_t at = FirstNonZero(context, region.range, scratch, value);
    if (at == region.range.End()) continue;
    sink.Add({.where = {.begin = at, .size = 1}, .observed = std::uint64_t{value}});
  }
}

}  // namespace ggufgate

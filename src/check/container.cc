// Rules about the file as a whole. Most container rules are faults of the parser; see faults.cc.

#include <algorithm>
#include <array>
#include <optional>

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

namespace {

// EndOfData is where the data of all tensors end; nothing when the place of one is not known, for
// then nobody can say what the bytes behind the others are.
std::optional<std::uint64_t> EndOfData(const Context& context) {
  const Document& document = context.document;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), context.extents.at(i));
    if (!range) return std::nullopt;
    end = std::max(end, range->End());
  }
  return end;
}

}  // namespace

void CheckTrailingBytes(const Context& context, Sink& sink) {
  const std::optional<std::uint64_t> end = EndOfData(context);
  for (const Region& region : context.regions) {
    if (region.kind != Region::Kind::kTrailing) continue;
    if (!end || *end > region.range.begin) continue;  // the model goes on, past the end of the file
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

// Read once for the rules that ask: padding may be on a page of its own in each tensor.
const std::vector<PaddingMark>& PaddingMarksOf(const Context& context) {
  if (context.padding_marks != nullptr) return *context.padding_marks;
  auto marks = std::make_shared<std::vector<PaddingMark>>();
  std::array<std::uint8_t, 16 * 1024> scratch;
  const bool gaps_are_empty = EndOfData(context).has_value();
  for (const Region& region : context.regions) {
    const bool gap = region.kind == Region::Kind::kGap && gaps_are_empty;
    if (region.kind != Region::Kind::kPadding && !gap) continue;
    std::uint8_t value = 0;
    const std::uint64_t at = FirstNonZero(context, region.range, scratch, value);
    if (at != region.range.End()) marks->push_back({.at = at, .value = value});
  }
  context.padding_marks = marks;
  return *marks;
}

void CheckPaddingNotZero(const Context& context, Sink& sink) {
  for (const PaddingMark& mark : PaddingMarksOf(context)) {
    sink.Add({.where = {.begin = mark.at, .size = 1}, .observed = std::uint64_t{mark.value}});
  }
}

}  // namespace ggufgate

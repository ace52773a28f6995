// Rules about the whole file. The parser finds most of their violations; see faults.cc.

#include <algorithm>
#include <array>
#include <optional>

#include "bytes/byte_order.h"
#include "check/rules/container/padding.h"
#include "check/rules/rule_functions.h"

namespace ggufgate {

void CheckByteOrder(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (document.version == 0) return;  // the header is invalid
  const bool big = document.byte_order == ByteOrder::kBig;
  const TargetOrder target = context.policy.target;
  if (target == TargetOrder::kAny || (target == TargetOrder::kBig) == big) return;
  sink.Add({.where = {.begin = kMagic.size(), .size = 4},
            .subject = {.section = Place::Section::kHeader},
            .observed = std::uint64_t{document.version},
            .wording = big ? ByteOrderWording::kBigEndian : ByteOrderWording::kLittleEndian});
}

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

namespace {

// IsGgufAt returns whether a range begins with a GGUF header: the magic, and a known version in
// either byte order.
bool IsGgufAt(const Context& context, ByteRange range) {
  constexpr std::size_t kLooked = 8;
  if (range.size < kLooked) return false;
  std::array<std::uint8_t, kLooked> scratch{};
  const Bytes head = context.cache.View({.begin = range.begin, .size = kLooked}, scratch);
  if (head.size() != kLooked || !AsText(head).starts_with(kMagic)) return false;
  const auto version = [&](ByteOrder order) {
    return Load<std::uint32_t>(head.subspan(kMagic.size()), order);
  };
  const auto known = [](std::uint32_t number) { return number >= 1 && number <= 3; };
  return known(version(ByteOrder::kLittle)) || known(version(ByteOrder::kBig));
}

}  // namespace

void CheckTrailingBytes(const Context& context, Sink& sink) {
  const std::optional<std::uint64_t> end = EndOfData(context);
  for (const Region& region : context.regions) {
    if (region.kind != Region::Kind::kTrailing) continue;
    if (!end || *end > region.range.begin) continue;  // the model continues past the file
    sink.Add({.where = region.range,
              .observed = region.range.size,
              .wording = IsGgufAt(context, region.range) ? TrailingBytesWording::kGguf
                                                         : TrailingBytesWording::kBytes});
  }
}

}  // namespace ggufgate

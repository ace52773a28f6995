// Rules about the file as a whole. Most container rules are faults of the parser; see faults.cc.

#include <algorithm>
#include <optional>

#include "check/rules/container/padding.h"
#include "check/rules/rule_functions.h"

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

void CheckTrailingBytes(const Context& context, Sink& sink) {
  const std::optional<std::uint64_t> end = EndOfData(context);
  for (const Region& region : context.regions) {
    if (region.kind != Region::Kind::kTrailing) continue;
    if (!end || *end > region.range.begin) continue;  // the model goes on, past the end of the file
    sink.Add({.where = region.range, .observed = region.range.size});
  }
}

}  // namespace ggufgate

#include "parse/arrays.h"

namespace ggufgate {

LeafArrays::LeafArrays(const Document& document, const MetadataEntry& entry)
    : document_(document), entry_(entry), offset_(entry.ElementsRange().begin) {
  if (entry.type == ValueType::kArray) levels_.push_back({entry.element_type, entry.count});
}

std::optional<LeafArray> LeafArrays::Next() {
  while (!levels_.empty()) {
    Level& level = levels_.back();
    if (level.element_type != ValueType::kArray) return TakeLeaf();
    if (level.left == 0) {
      levels_.pop_back();
    } else {
      --level.left;
      levels_.push_back(ReadHead());
    }
  }
  return std::nullopt;
}

LeafArray LeafArrays::TakeLeaf() {
  const Level level = levels_.back();
  const bool outermost = levels_.size() == 1;
  levels_.pop_back();
  LeafArray leaf{.element_type = level.element_type, .count = level.left};
  if (outermost) {
    leaf.elements = entry_.ElementsRange();
  } else {
    leaf.elements = {.begin = offset_, .size = BytesOf(level)};
    leaf.index = entry_.count - levels_.front().left - 1;
  }
  offset_ = leaf.elements.End();
  return leaf;
}

LeafArrays::Level LeafArrays::ReadHead() {
  const Bytes head = document_.BytesAt({offset_, 12});
  offset_ += head.size();
  return {static_cast<ValueType>(Load<std::uint32_t>(head, document_.byte_order)),
          Load<std::uint64_t>(head.subspan(4), document_.byte_order)};
}

std::uint64_t LeafArrays::BytesOf(const Level& level) const {
  if (level.element_type != ValueType::kString) {
    return level.left * InfoOf(level.element_type).scalar_bytes;
  }
  const Bytes elements = document_.prefix.subspan(offset_);
  return SizeOfStrings(elements, level.left, document_.byte_order).value_or(0);
}

}  // namespace ggufgate

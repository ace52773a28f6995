#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parse/document.h"

namespace ggufgate {

// LeafArray is an array without arrays in it: the whole value of most entries, or an inner array of
// a nested one.
struct LeafArray {
  ValueType element_type = ValueType::kU8;
  std::uint64_t count = 0;
  ByteRange elements = {};
  std::uint64_t index = 0;  // position in the outermost array; 0 when this is the outermost
};

// LeafArrays walks the leaf arrays of one entry in file order. The entry comes from Parse, so every
// length and count in it has been seen to fit.
class LeafArrays {
 public:
  LeafArrays(const Document& document, const MetadataEntry& entry);

  // Next gives the next leaf array, nothing after the last.
  [[nodiscard]] std::optional<LeafArray> Next();

 private:
  struct Level {
    ValueType element_type;
    std::uint64_t left;
  };

  [[nodiscard]] LeafArray TakeLeaf();
  [[nodiscard]] Level ReadHead();
  [[nodiscard]] std::uint64_t BytesOf(const Level& level) const;

  const Document& document_;
  const MetadataEntry& entry_;
  std::vector<Level> levels_;  // at most kDeepestArray
  std::uint64_t offset_;       // in the file, of the next inner array or element
};

// StringArray walks the strings of a leaf array in file order.
//
//   for (StringArray strings(document, leaf); strings.Next();) Use(strings.text());
class StringArray {
 public:
  StringArray(const Document& document, const LeafArray& leaf)
      : rest_(document.BytesAt(leaf.elements)),
        order_(document.byte_order),
        offset_(leaf.elements.begin),
        left_(leaf.count) {}

  // Next moves to the next string; false after the last.
  [[nodiscard]] bool Next() {
    if (left_ == 0) return false;
    --left_;
    ++index_;
    const auto length = Load<std::uint64_t>(rest_, order_);
    text_ = rest_.subspan(8, length);
    range_ = {.begin = offset_ + 8, .size = length};
    rest_ = rest_.subspan(8 + length);
    offset_ += 8 + length;
    return true;
  }

  [[nodiscard]] Bytes bytes() const { return text_; }
  [[nodiscard]] std::string_view text() const { return AsText(text_); }
  [[nodiscard]] ByteRange range() const { return range_; }          // of the characters
  [[nodiscard]] std::uint64_t index() const { return index_ - 1; }  // of the current string

 private:
  Bytes rest_;
  ByteOrder order_;
  std::uint64_t offset_;
  std::uint64_t left_;
  std::uint64_t index_ = 0;
  Bytes text_;
  ByteRange range_;
};

}  // namespace ggufgate

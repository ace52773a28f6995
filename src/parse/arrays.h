#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/strings.h"
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
      : strings_(document.BytesAt(leaf.elements), document.byte_order), end_(leaf.elements.End()) {}

  // Next moves to the next string; false after the last.
  [[nodiscard]] bool Next() {
    ++index_;
    return strings_.Next();
  }

  [[nodiscard]] Bytes bytes() const { return strings_.bytes(); }
  [[nodiscard]] std::string_view text() const { return strings_.text(); }
  // The place of the characters.
  [[nodiscard]] ByteRange range() const {
    const std::uint64_t size = bytes().size();
    return {.begin = end_ - strings_.rest().size() - size, .size = size};
  }
  [[nodiscard]] std::uint64_t index() const { return index_ - 1; }  // of the current string

 private:
  Strings strings_;
  std::uint64_t end_;  // in the file
  std::uint64_t index_ = 0;
};

}  // namespace ggufgate

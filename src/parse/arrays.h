#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/strings.h"
#include "parse/document.h"

namespace ggufgate {

// LeafArray is an array that contains no arrays: the whole value of most entries, or an inner array
// of a nested one.
struct LeafArray {
  ValueType element_type = ValueType::kU8;
  std::uint64_t count = 0;
  ByteRange elements = {};
  std::uint64_t index = 0;  // index in the outermost array; 0 if this is the outermost
};

// LeafArrays iterates over the leaf arrays of one entry in file order. The entry must come from
// Parse, which has checked that every length and count fits.
class LeafArrays {
 public:
  LeafArrays(const Document& document, const MetadataEntry& entry);

  // Next returns the next leaf array, nullopt after the last.
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
  std::uint64_t offset_;       // file offset of the next inner array or element
};

// StringArray iterates over the strings of a leaf array in file order.
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
  // range returns the place of the characters.
  [[nodiscard]] ByteRange range() const {
    const std::uint64_t size = bytes().size();
    return {.begin = end_ - strings_.rest().size() - size, .size = size};
  }
  [[nodiscard]] std::uint64_t index() const { return index_ - 1; }  // of the current string

 private:
  Strings strings_;
  std::uint64_t end_;  // file offset
  std::uint64_t index_ = 0;
};

}  // namespace ggufgate

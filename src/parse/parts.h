#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bytes/byte_range.h"
#include "format/value_type.h"
#include "parse/document.h"
#include "parse/regions.h"

namespace ggufgate {

// Part is one field of a region, or one block of a tensor's data.
struct Part {
  enum class Kind : std::uint8_t {
    kMagic,
    kVersion,
    kTensorCount,
    kKeyCount,
    kKeyLength,
    kKey,
    kValueType,
    kElementType,   // of an array
    kElementCount,  // of an array
    kStringLength,
    kString,
    kScalar,
    kNameLength,
    kName,
    kDimensionCount,
    kDimension,  // index: which
    kTensorType,
    kTensorOffset,
    kBlock,  // index: which; of types without blocks a block is one value
    kPadding,
    kGap,
    kTrailing,
    kUnread,  // what has no meaning, since reading ended before
  };
  Kind kind = Kind::kUnread;
  ByteRange range = {};               // never empty; shorter than the field where the file ends
  ValueType type = ValueType::kU8;    // of a scalar
  std::uint64_t index = 0;            // of an element in its array, a dimension or a block
  std::uint32_t depth = 0;            // arrays that the field is an element of, or inside of
  std::uint64_t outermost_index = 0;  // where depth > 1: which element of the outermost array
};

// PartPage is some parts of a region, one after the other without holes.
struct PartPage {
  std::vector<Part> parts;
  std::uint64_t next = 0;  // where the page after this one begins; the region's end after the last
};

// PartsOf takes a region of Regions(document) apart: the parts from the one that holds byte `from`
// of the file on, at most `most` of them. A page a time, since an array may have millions of
// elements.
//
// All pages together cover the region, without holes or overlaps. Fields of no bytes, such as the
// characters of an empty string, are left out. Behind a fault the record that was being read is
// taken apart up to the field that is wrong, the last that has a meaning.
//
// Time is linear in the bytes of the region's arrays of strings before `from`, and in `most`.
[[nodiscard]] PartPage PartsOf(const Document& document, const Region& region, std::uint64_t from,
                               std::size_t most);

}  // namespace ggufgate

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
    kDimension,  // index: the number of the dimension
    kTensorType,
    kTensorOffset,
    kBlock,  // index: the number of the block; for types without blocks, one value
    kPadding,
    kGap,
    kTrailing,
    kUnread,  // bytes after the fault, which have no meaning
  };
  Kind kind = Kind::kUnread;
  ByteRange range = {};               // never empty; shorter than the field at the end of the file
  ValueType type = ValueType::kU8;    // of a scalar
  std::uint64_t index = 0;            // of an element in its array, a dimension or a block
  std::uint32_t depth = 0;            // number of arrays that contain the field
  std::uint64_t outermost_index = 0;  // if depth > 1: index in the outermost array
};

// PartPage is some consecutive parts of a region.
struct PartPage {
  std::vector<Part> parts;
  std::uint64_t next = 0;  // start of the next page; after the last page, end of the region
};

// PartsOf splits a region of Regions(document): it returns at most `most` parts, from the one that
// contains byte `from` of the file. It works in pages because an array may have millions of
// elements.
//
// All pages together cover the region, without holes or overlaps. Fields without bytes, such as the
// characters of an empty string, are omitted. For a document with a fault, the last record is split
// up to the wrong field, the last one with a meaning.
//
// Time is linear in the bytes of the region's arrays of strings before `from`, and in `most`.
[[nodiscard]] PartPage PartsOf(const Document& document, const Region& region, std::uint64_t from,
                               std::size_t most);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate {

// Region is a stretch of the file with one meaning.
struct Region {
  enum class Kind : std::uint8_t {
    kHeader,
    kMetadata,    // index: the entry
    kTensorInfo,  // index: the tensor
    kPadding,     // up to the next multiple of the alignment, wherever something ends
    kTensorData,  // index: the tensor
    kGap,         // more room between tensors than padding explains
    kTrailing,    // after the padded end of the last tensor, or of the metadata without tensors
    kUnread,      // behind the fault that stopped the parser
  };
  Kind kind = Kind::kHeader;
  ByteRange range;
  std::uint64_t index = 0;
};

// WordFor names a kind of region: "tensor data".
[[nodiscard]] std::string_view WordFor(Region::Kind kind);

// Regions lists the whole file in file order, without holes, cut at the end of the file. Tensors
// without data, and those that cannot be placed or lie wholly outside the file, are left out.
//
// The regions of an accepted file are disjoint; where tensors overlap, their regions do.
[[nodiscard]] std::vector<Region> Regions(const Document& document);

// The same for a caller who has the extents of all tensors at hand, in the order of the directory
// and computed with the document's alignment.
[[nodiscard]] std::vector<Region> Regions(const Document& document,
                                          std::span<const Extent> extents);

// RegionAt finds the region that holds a byte, among regions as Regions() lists them; of tensors
// that overlap the last to begin. nullptr when the file has no such byte.
[[nodiscard]] const Region* RegionAt(std::span<const Region> regions, std::uint64_t offset);

}  // namespace ggufgate

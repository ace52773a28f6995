#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "parse/document.h"
#include "parse/extent.h"

namespace ggufgate {

// Region is a part of the file with one meaning.
struct Region {
  enum class Kind : std::uint8_t {
    kHeader,
    kMetadata,    // index: the entry
    kTensorInfo,  // index: the tensor
    kPadding,     // up to the next multiple of the alignment
    kTensorData,  // index: the tensor
    kGap,         // bytes between tensors beyond the padding
    kTrailing,    // after the padded end of the last tensor; without tensors, of the metadata
    kUnread,      // after the fault that stopped the parser
  };
  Kind kind = Kind::kHeader;
  ByteRange range;
  std::uint64_t index = 0;
};

// WordFor returns the name of a kind of region: "tensor data".
[[nodiscard]] std::string_view WordFor(Region::Kind kind);

// Regions lists the whole file in file order, without holes, cut at the end of the file. It omits
// tensors without data, without a valid place, or entirely outside the file.
//
// The regions of an accepted file are disjoint. If tensors overlap, their regions do.
[[nodiscard]] std::vector<Region> Regions(const Document& document);

// The same for a caller that already has the extents of all tensors, in the order of the directory,
// computed with the document's alignment.
[[nodiscard]] std::vector<Region> Regions(const Document& document,
                                          std::span<const Extent> extents);

// RegionAt returns the region that contains a byte, among the result of Regions(); if tensors
// overlap, the one with the greatest begin. nullptr if the file has no such byte.
[[nodiscard]] const Region* RegionAt(std::span<const Region> regions, std::uint64_t offset);

}  // namespace ggufgate

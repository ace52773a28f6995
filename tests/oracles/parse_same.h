#pragma once

// Compares two parsed documents. Uses only the standard library, because the replay under
// MemorySanitizer includes it.

#include <algorithm>
#include <string_view>

#include "parse/document.h"
#include "parse/regions.h"

namespace ggufgate::testing {

inline bool SameFault(const Fault& a, const Fault& b) {
  return a.kind == b.kind && a.where == b.where &&
         std::string_view(a.field) == std::string_view(b.field) &&
         a.place.section == b.place.section && a.place.index == b.place.index &&
         a.place.name == b.place.name && a.place.element == b.place.element &&
         a.observed == b.observed && a.allowed == b.allowed && a.by_limit == b.by_limit;
}

inline bool SameEntry(const MetadataEntry& a, const MetadataEntry& b) {
  return a.key == b.key && a.range == b.range && a.type == b.type &&
         a.element_type == b.element_type && a.count == b.count && a.depth == b.depth;
}

inline bool SameTensor(const TensorInfo& a, const TensorInfo& b) {
  return a.name == b.name && a.begin == b.begin && a.offset == b.offset && a.dims == b.dims &&
         a.dimension_count == b.dimension_count && a.type_id == b.type_id;
}

// DifferenceOf names the first difference between two documents, "" if they are equal. It ignores
// how much of the file each of them views; only the caller compares file_size.
inline std::string_view DifferenceOf(const Document& a, const Document& b) {
  if (a.version != b.version) return "version";
  if (a.byte_order != b.byte_order) return "byte_order";
  if (a.tensor_count != b.tensor_count) return "tensor_count";
  if (a.metadata_count != b.metadata_count) return "metadata_count";
  if (!std::ranges::equal(a.metadata, b.metadata, SameEntry)) return "metadata";
  for (const MetadataEntry& entry : a.metadata) {
    if (!std::ranges::equal(a.BytesAt(entry.range), b.BytesAt(entry.range))) return "value";
  }
  if (!std::ranges::equal(a.tensors, b.tensors, SameTensor)) return "tensors";
  if (a.directory_end != b.directory_end) return "directory_end";
  if (a.wide_lengths != b.wide_lengths) return "wide_lengths";
  if (a.alignment != b.alignment) return "alignment";
  if (a.data_begin != b.data_begin) return "data_begin";
  if (a.fault.has_value() != b.fault.has_value()) return "fault";
  if (a.fault && !SameFault(*a.fault, *b.fault)) return "fault";
  return "";
}

// Tile tells whether the regions cover the file from its first byte to its last, each byte once.
inline bool Tile(std::span<const Region> regions, std::uint64_t file_size) {
  std::uint64_t end = 0;
  for (const Region& region : regions) {
    if (region.range.begin != end || !region.range.FitsIn(file_size)) return false;
    end = region.range.End();
  }
  return end == file_size;
}

}  // namespace ggufgate::testing

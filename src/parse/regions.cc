#include "parse/regions.h"

#include <algorithm>
#include <utility>

#include "bytes/checked.h"

namespace ggufgate {
namespace {

using Kind = Region::Kind;

void AddDirectory(const Document& document, std::vector<Region>& regions) {
  regions.reserve(2 + document.metadata.size() + 3 * document.tensors.size());
  const std::uint64_t header = std::min(document.file_size, kHeaderBytes);
  regions.push_back({Kind::kHeader, {0, header}});
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    regions.push_back({Kind::kMetadata, document.metadata.at(i).range, i});
  }
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    regions.push_back({Kind::kTensorInfo, document.tensors.at(i).Range(), i});
  }
}

// PlacedTensors returns the data ranges that begin inside the file, cut at its end, in file order.
std::vector<Region> PlacedTensors(const Document& document, std::span<const Extent> extents) {
  std::vector<Region> placed;
  placed.reserve(document.tensors.size());
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const auto range = DataRange(document, document.tensors.at(i), extents[i]);
    if (!range || range->size == 0 || range->begin >= document.file_size) continue;
    const std::uint64_t end = std::min(range->End(), document.file_size);
    placed.push_back({Kind::kTensorData, ByteRange::Between(range->begin, end), i});
  }
  const auto place = [](const Region& region) {
    return std::pair(region.range.begin, region.index);
  };
  // In nearly every file the tensors are in order.
  if (!std::ranges::is_sorted(placed, {}, place)) std::ranges::sort(placed, {}, place);
  return placed;
}

// AddBetween adds the regions from `end` to `next`: padding up to the alignment, then `beyond`.
void AddBetween(std::uint64_t end, std::uint64_t next, std::uint64_t alignment, Kind beyond,
                std::vector<Region>& regions) {
  if (end >= next) return;
  const std::uint64_t padded = std::min(CheckedAlignUp(end, alignment).value_or(next), next);
  if (padded > end) regions.push_back({Kind::kPadding, ByteRange::Between(end, padded)});
  if (next > padded) regions.push_back({beyond, ByteRange::Between(padded, next)});
}

}  // namespace

std::string_view WordFor(Region::Kind kind) {
  switch (kind) {
    case Kind::kHeader:
      return "header";
    case Kind::kMetadata:
      return "metadata";
    case Kind::kTensorInfo:
      return "tensor info";
    case Kind::kPadding:
      return "padding";
    case Kind::kTensorData:
      return "tensor data";
    case Kind::kGap:
      return "gap";
    case Kind::kTrailing:
      return "trailing bytes";
    case Kind::kUnread:
      return "not read";
  }
  return "";
}

std::vector<Region> Regions(const Document& document) {
  return Regions(document, ExtentsOf(document));
}

std::vector<Region> Regions(const Document& document, std::span<const Extent> extents) {
  std::vector<Region> regions;
  AddDirectory(document, regions);
  std::uint64_t end = std::max(document.directory_end, regions.front().range.End());
  if (!document.data_begin || !document.alignment) {
    if (end < document.file_size) {
      regions.push_back({Kind::kUnread, ByteRange::Between(end, document.file_size)});
    }
    return regions;
  }
  const std::uint64_t alignment = *document.alignment;
  for (const Region& tensor : PlacedTensors(document, extents)) {
    AddBetween(end, tensor.range.begin, alignment, Kind::kGap, regions);
    regions.push_back(tensor);
    end = std::max(end, tensor.range.End());
  }
  AddBetween(end, document.file_size, alignment, Kind::kTrailing, regions);
  return regions;
}

const Region* RegionAt(std::span<const Region> regions, std::uint64_t offset) {
  const auto begin_of = [](const Region& region) { return region.range.begin; };
  auto after = std::ranges::upper_bound(regions, offset, {}, begin_of);
  while (after != regions.begin()) {
    --after;
    if (offset < after->range.End()) return &*after;
  }
  return nullptr;
}

}  // namespace ggufgate

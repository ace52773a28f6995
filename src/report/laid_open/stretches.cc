#include "report/laid_open/stretches.h"

#include <algorithm>

#include "gate/reading/read_document.h"

namespace ggufgate {
namespace {

// Around returns a range on both sides of a byte, within the file.
ByteRange Around(std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t at = std::min(offset, size);
  const std::uint64_t begin = at - std::min(at, kAroundFindingBytes);
  return ByteRange::Between(begin, at + std::min(size - at, kAroundFindingBytes));
}

std::vector<ByteRange> Merged(std::vector<ByteRange> ranges) {
  std::ranges::sort(ranges, {}, &ByteRange::begin);
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges) {
    if (range.size == 0) continue;
    if (merged.empty() || range.begin > merged.back().End()) {
      merged.push_back(range);
    } else if (range.End() > merged.back().End()) {
      merged.back() = ByteRange::Between(merged.back().begin, range.End());
    }
  }
  return merged;
}

}  // namespace

std::vector<ByteRange> StretchesOf(const Document& document, std::span<const Region> regions,
                                   std::span<const Finding> findings) {
  const std::uint64_t size = document.file_size;
  if (size <= kWholeFileBytes) return Merged({{0, size}});
  const std::uint64_t head = std::min(document.directory_end, kBeginningBytes);
  std::vector<ByteRange> ranges = {{0, std::max(head, kAroundFindingBytes)}};
  for (const Finding& finding : findings.first(std::min(findings.size(), kMostFindingsShown))) {
    ranges.push_back(Around(finding.where.begin, size));
  }
  std::size_t tensors = 0;
  for (const Region& region : regions) {
    if (region.kind != Region::Kind::kTensorData || tensors == kMostTensorsShown) continue;
    ++tensors;
    ranges.push_back({region.range.begin, std::min(region.range.size, kTensorBeginningBytes)});
  }
  return Merged(std::move(ranges));
}

absl::StatusOr<std::vector<std::uint8_t>> BytesOf(const ByteSource& source, ByteRange range) {
  std::vector<std::uint8_t> bytes(range.size);
  if (absl::Status status = StatusOf(source.ReadAt(range.begin, bytes)); !status.ok()) {
    return status;
  }
  return bytes;
}

}  // namespace ggufgate

#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "check/finding.h"
#include "parse/document.h"
#include "parse/regions.h"

namespace ggufgate {

// How much of a file a page holds: a small file whole, of others the beginning with header and
// metadata, what is around findings, and how each tensor begins.
inline constexpr std::uint64_t kWholeFileBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kBeginningBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kAroundFindingBytes = 2048;  // on both sides of its first byte
inline constexpr std::uint64_t kTensorBeginningBytes = 256;
inline constexpr std::size_t kMostFindingsShown = 500;
inline constexpr std::size_t kMostTensorsShown = 4096;

// StretchesOf says which bytes those are: disjoint, in file order.
[[nodiscard]] std::vector<ByteRange> StretchesOf(const Document& document,
                                                 std::span<const Region> regions,
                                                 std::span<const Finding> findings);

// BytesOf reads a stretch.
[[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> BytesOf(const ByteSource& source,
                                                                ByteRange range);

}  // namespace ggufgate

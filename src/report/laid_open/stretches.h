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

// The parts of a file that a page includes: all of a small file. For other files, the beginning
// with header and metadata, the bytes around findings, and the beginning of each tensor.
inline constexpr std::uint64_t kWholeFileBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kBeginningBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kAroundFindingBytes = 2048;  // on both sides of its first byte
inline constexpr std::uint64_t kTensorBeginningBytes = 256;
inline constexpr std::size_t kMostFindingsShown = 500;
inline constexpr std::size_t kMostTensorsShown = 4096;

// StretchesOf returns the ranges of these bytes: disjoint, in file order.
[[nodiscard]] std::vector<ByteRange> StretchesOf(const Document& document,
                                                 std::span<const Region> regions,
                                                 std::span<const Finding> findings);

// BytesOf reads a range.
[[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> BytesOf(const ByteSource& source,
                                                                ByteRange range);

}  // namespace ggufgate

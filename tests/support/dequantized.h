#pragma once

// Blocks to decode, and comparisons of decoded floats.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::testing {

// SameFloats holds if all bits are equal, or both floats are NaN. Its message names the first
// difference.
[[nodiscard]] ::testing::AssertionResult SameFloats(std::span<const float> actual,
                                                    std::span<const float> expected);

// RandomBlocks returns `count` blocks of random bytes. One in four blocks consists mostly of the
// bytes 0x00, 0x7C, 0x7F, 0x80 and 0xFF, so that scales are often 0, subnormal, infinite or NaN.
[[nodiscard]] std::vector<std::uint8_t> RandomBlocks(const TensorTypeInfo& info, std::size_t count,
                                                     std::uint64_t seed);

// EdgeBlocks sweeps each of the first four and last eight bytes of a block, where the scales are,
// over many values, in a block of zeros and in another one.
[[nodiscard]] std::vector<std::uint8_t> EdgeBlocks(const TensorTypeInfo& info);

// Golden is one file of tests/dequantize/golden; see the README there.
struct Golden {
  struct Kept {
    std::size_t chunk;
    std::vector<float> floats;
  };
  const TensorTypeInfo* type = nullptr;
  std::vector<std::uint8_t> blocks;
  std::size_t chunk_elements = 0;
  std::vector<std::uint64_t> digests;  // one per chunk
  std::vector<Kept> kept;
};
[[nodiscard]] std::vector<Golden> AllGolden();

// DigestOf returns the digest of a chunk. All NaN count as equal.
[[nodiscard]] std::uint64_t DigestOf(std::span<const float> floats);

// SameAsGolden compares the decoded blocks with the expected ones.
[[nodiscard]] ::testing::AssertionResult SameAsGolden(std::span<const float> actual,
                                                      const Golden& golden);

}  // namespace ggufgate::testing

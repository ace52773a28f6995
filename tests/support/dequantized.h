#pragma once

// Blocks to decode, and how decoded floats are compared.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::testing {

// SameFloats holds when all bits are equal, or both are NaN; it names the first that differs.
[[nodiscard]] ::testing::AssertionResult SameFloats(std::span<const float> actual,
                                                    std::span<const float> expected);

// RandomBlocks are `count` blocks of random bytes. Of every four blocks one has bytes that are
// mostly 0x00, 0x7C, 0x7F, 0x80 or 0xFF, so that scales are often 0, subnormal, infinite or NaN.
[[nodiscard]] std::vector<std::uint8_t> RandomBlocks(const TensorTypeInfo& info, std::size_t count,
                                                     std::uint64_t seed);

// EdgeBlocks sweep each of the first four and last eight bytes of a block, where scales stand, over
// many values, in a block of zeros and in one that is not.
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
  std::vector<std::uint64_t> digests;  // of each chunk
  std::vector<Kept> kept;
};
[[nodiscard]] std::vector<Golden> AllGolden();

// DigestOf is the digest of a chunk, NaN being NaN.
[[nodiscard]] std::uint64_t DigestOf(std::span<const float> floats);

// SameAsGolden compares what the blocks decoded to with what is expected.
[[nodiscard]] ::testing::AssertionResult SameAsGolden(std::span<const float> actual,
                                                      const Golden& golden);

}  // namespace ggufgate::testing

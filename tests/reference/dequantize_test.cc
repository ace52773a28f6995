// Compares decoded blocks with those of the library.

#include "dequantize/dequantize.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/dequantized.h"
#include "tests/support/reference/library.h"

namespace ggufgate::testing {
namespace {

using Decoders = ReferenceTest;

std::vector<float> Ours(const TensorTypeInfo& info, Bytes blocks) {
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(info.type, blocks, out), Dequantized::kDone);
  return out;
}

// SameAsTheLibrary also holds for a type that the library does not decode.
::testing::AssertionResult SameAsTheLibrary(const Reference& library, const TensorTypeInfo& info,
                                            Bytes blocks) {
  std::vector<float> theirs(blocks.size() / info.block_bytes * info.block_elements);
  if (!library.Decode(info, blocks, theirs)) return ::testing::AssertionSuccess();
  return SameFloats(Ours(info, blocks), theirs) << " of " << info.name;
}

TEST_F(Decoders, AreThereForAllButPlainTypesAndQ8_1) {
  std::size_t decoders = 0;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const std::vector<std::uint8_t> block(info.block_bytes);
    std::vector<float> out(info.block_elements);
    const bool theirs = Library().Decode(info, block, out);
    const bool half = info.type == TensorType::kF16 || info.type == TensorType::kBF16;
    EXPECT_EQ(theirs, half || (info.quantised && info.type != TensorType::kQ8_1)) << info.name;
    decoders += theirs ? 1 : 0;
  }
  EXPECT_EQ(decoders, 28U);
}

TEST_F(Decoders, AgreeOnAMillionRandomValuesOfEachType) {
  constexpr std::size_t kValues = 1 << 20;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    const auto blocks = RandomBlocks(info, kValues / info.block_elements, info.block_bytes);
    EXPECT_TRUE(SameAsTheLibrary(Library(), info, blocks));
  }
}

TEST_F(Decoders, AgreeOnEdgeBlocks) {
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    EXPECT_TRUE(SameAsTheLibrary(Library(), info, EdgeBlocks(info)));
  }
}

TEST_F(Decoders, AgreeOnEveryHalf) {
  std::vector<std::uint8_t> halves;
  for (unsigned half = 0; half < 0x10000; ++half) {
    halves.push_back(static_cast<std::uint8_t>(half));
    halves.push_back(static_cast<std::uint8_t>(half >> 8));
  }
  for (const TensorType type : {TensorType::kF16, TensorType::kBF16}) {
    EXPECT_TRUE(
        SameAsTheLibrary(Library(), *FindTensorType(static_cast<std::uint32_t>(type)), halves));
  }
}

}  // namespace
}  // namespace ggufgate::testing

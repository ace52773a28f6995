// Every golden vector decodes to the result of ggml.

#include <gtest/gtest.h>

#include <string>

#include "dequantize/dequantize.h"
#include "tests/support/dequantized.h"

namespace ggufgate {
namespace {

using testing::AllGolden;
using testing::Golden;
using testing::SameAsGolden;

std::vector<float> DecodedGolden(const Golden& golden) {
  const TensorTypeInfo& info = *golden.type;
  std::vector<float> out(golden.blocks.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(info.type, golden.blocks, out), Dequantized::kDone);
  return out;
}

TEST(Golden, CoversEveryTypeThatTheReferenceDecodes) {
  std::size_t values = 0;
  for (const Golden& golden : AllGolden()) {
    values += golden.blocks.size() / golden.type->block_bytes * golden.type->block_elements;
    EXPECT_GE(golden.kept.size(), 1U) << golden.type->name;
  }
  EXPECT_EQ(AllGolden().size(), 28U);
  EXPECT_GT(values, 380'000U);
}

TEST(Golden, DecodesBitForBit) {
  for (const Golden& golden : AllGolden()) {
    EXPECT_TRUE(SameAsGolden(DecodedGolden(golden), golden)) << golden.type->name;
  }
}

// The digest depends on every element, so the test above can fail for each.
TEST(Golden, OneOtherBitIsNoticed) {
  for (const Golden& golden : AllGolden()) {
    std::vector<float> floats = DecodedGolden(golden);
    for (std::size_t i = 0; i < floats.size(); i += 977) {
      const float kept = floats[i];
      floats[i] = kept == 1.0F ? 2.0F : 1.0F;
      EXPECT_FALSE(SameAsGolden(floats, golden)) << golden.type->name << ' ' << i;
      floats[i] = kept;
    }
  }
}

}  // namespace
}  // namespace ggufgate

#include "format/tensors/layout.h"

#include <gtest/gtest.h>

#include "bytes/byte_order.h"

namespace ggufgate {
namespace {

TEST(Layout, TheMagicIs47475546InFileOrder) {
  const Bytes magic = AsBytes(kMagic);
  ASSERT_EQ(magic.size(), 4U);
  EXPECT_EQ(Load<std::uint32_t>(magic, ByteOrder::kBig), 0x4747'5546U);
  EXPECT_EQ(Load<std::uint32_t>(magic, ByteOrder::kLittle), 0x4655'4747U)
      << "some texts give the other one for a little-endian number";
}

TEST(Layout, TheSmallestRecordsAreSumsOfTheirFields) {
  EXPECT_EQ(kHeaderBytes, 4U + 4 + 8 + 8) << "magic, version, two counts";
  EXPECT_EQ(kMinimumKeyBytes, 8U + 0 + 4 + 1) << "key length, no key, value type, a byte";
  EXPECT_EQ(kMinimumTensorBytes, 8U + 0 + 4 + 0 + 4 + 8)
      << "name length, no name, n_dims, no dimension, type, offset";
}

TEST(Layout, TheNumbersOfTheReferenceLoader) {
  EXPECT_EQ(kMaximumDimensions, 4U);
  EXPECT_EQ(kReadDimensions, 5U);
  EXPECT_EQ(kDefaultAlignment, 32U);
  EXPECT_EQ(kSpecifiedAlignment, 8U);
  EXPECT_EQ(kAlignmentKey, "general.alignment");
  EXPECT_EQ(kArchitectureKey, "general.architecture");
}

}  // namespace
}  // namespace ggufgate

#include "bytes/byte_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "tests/support/parse_wide.h"

namespace ggufgate {
namespace {

constexpr std::array<std::uint8_t, 8> kEight = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};

TEST(ByteOrder, LoadReadsLittleEndianWithTheLowByteFirst) {
  EXPECT_EQ(Load<std::uint8_t>(kEight, ByteOrder::kLittle), 0x01);
  EXPECT_EQ(Load<std::uint16_t>(kEight, ByteOrder::kLittle), 0x0201);
  EXPECT_EQ(Load<std::uint32_t>(kEight, ByteOrder::kLittle), 0x0403'0201U);
  EXPECT_EQ(Load<std::uint64_t>(kEight, ByteOrder::kLittle), 0x8807'0605'0403'0201U);
}

TEST(ByteOrder, LoadReadsBigEndianWithTheHighByteFirst) {
  EXPECT_EQ(Load<std::uint8_t>(kEight, ByteOrder::kBig), 0x01);
  EXPECT_EQ(Load<std::uint16_t>(kEight, ByteOrder::kBig), 0x0102);
  EXPECT_EQ(Load<std::uint32_t>(kEight, ByteOrder::kBig), 0x0102'0304U);
  EXPECT_EQ(Load<std::uint64_t>(kEight, ByteOrder::kBig), 0x0102'0304'0506'0788U);
}

TEST(ByteOrder, SignedNumbersKeepTheirSign) {
  constexpr std::array<std::uint8_t, 8> kMinusTwo = {0xFE, 0xFF, 0xFF, 0xFF,
                                                     0xFF, 0xFF, 0xFF, 0xFF};
  EXPECT_EQ(Load<std::int8_t>(kMinusTwo, ByteOrder::kLittle), -2);
  EXPECT_EQ(Load<std::int16_t>(kMinusTwo, ByteOrder::kLittle), -2);
  EXPECT_EQ(Load<std::int32_t>(kMinusTwo, ByteOrder::kLittle), -2);
  EXPECT_EQ(Load<std::int64_t>(kMinusTwo, ByteOrder::kLittle), -2);
}

TEST(ByteOrder, FloatsAreTheirIeeeBytes) {
  constexpr std::array<std::uint8_t, 4> kOneLittle = {0x00, 0x00, 0x80, 0x3F};
  constexpr std::array<std::uint8_t, 8> kMinusTwoBig = {0xC0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(Load<float>(kOneLittle, ByteOrder::kLittle), 1.0F);
  EXPECT_EQ(Load<double>(kMinusTwoBig, ByteOrder::kBig), -2.0);
}

TEST(ByteOrder, StoreTouchesNoByteBehindTheNumber) {
  std::array<std::uint8_t, 8> out{};
  out.fill(0xAA);
  Store(std::uint32_t{0x0102'0304}, ByteOrder::kBig, out);
  EXPECT_EQ(out, (std::array<std::uint8_t, 8>{1, 2, 3, 4, 0xAA, 0xAA, 0xAA, 0xAA}));
}

template <typename T>
class EveryScalar : public ::testing::Test {};

using Scalars =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(EveryScalar, Scalars);

TYPED_TEST(EveryScalar, LoadGivesBackWhatStoreWroteInBothOrders) {
  testing::Numbers numbers;
  for (int i = 0; i < 2'000; ++i) {
    std::array<std::uint8_t, 8> raw{};
    Store(numbers.Next(), ByteOrder::kLittle, raw);
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      std::vector<std::uint8_t> out(sizeof(TypeParam));  // exact, to detect a store beyond it
      Store(Load<TypeParam>(raw, order), order, out);
      ASSERT_TRUE(std::ranges::equal(out, Bytes(raw).first(sizeof(TypeParam))));
    }
  }
}

TYPED_TEST(EveryScalar, TheTwoOrdersAreMirrorImages) {
  for (const TypeParam value :
       {std::numeric_limits<TypeParam>::lowest(), std::numeric_limits<TypeParam>::min(),
        TypeParam{1}, TypeParam{42}, std::numeric_limits<TypeParam>::max()}) {
    std::array<std::uint8_t, sizeof(TypeParam)> little{};
    std::array<std::uint8_t, sizeof(TypeParam)> big{};
    Store(value, ByteOrder::kLittle, little);
    Store(value, ByteOrder::kBig, big);
    std::ranges::reverse(big);
    ASSERT_EQ(little, big);
  }
}

}  // namespace
}  // namespace ggufgate

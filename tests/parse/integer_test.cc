#include "parse/integer.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace ggufgate {
namespace {

// Loads stores a number in both byte orders, and loads it with other bytes before and after it.
template <Scalar T>
void Loads(ValueType type, T number, Integer expected) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    std::vector<std::uint8_t> bytes(sizeof(T) + 2, 0xEE);
    Store(number, order, MutableBytes(bytes).subspan(1));
    const std::optional<Integer> loaded = LoadInteger(type, Bytes(bytes).subspan(1), order);
    ASSERT_TRUE(loaded.has_value()) << InfoOf(type).word;
    EXPECT_EQ(loaded->magnitude, expected.magnitude) << InfoOf(type).word;
    EXPECT_EQ(loaded->negative, expected.negative) << InfoOf(type).word;
  }
}

// LoadsEnds does so for the smallest and the largest number of a type, and for those around 0.
template <Scalar T>
void LoadsEnds(ValueType type) {
  using Ends = std::numeric_limits<T>;
  constexpr std::uint64_t kMost = static_cast<std::uint64_t>(Ends::max());
  Loads(type, Ends::max(), {.magnitude = kMost});
  Loads(type, T{0}, {.magnitude = 0});
  Loads(type, T{1}, {.magnitude = 1});
  if (!Ends::is_signed) return;
  Loads(type, static_cast<T>(-1), {.magnitude = 1, .negative = true});
  Loads(type, Ends::min(), {.magnitude = kMost + 1, .negative = true});
}

TEST(LoadInteger, ReadsEveryIntegerType) {
  LoadsEnds<std::uint8_t>(ValueType::kU8);
  LoadsEnds<std::int8_t>(ValueType::kI8);
  LoadsEnds<std::uint16_t>(ValueType::kU16);
  LoadsEnds<std::int16_t>(ValueType::kI16);
  LoadsEnds<std::uint32_t>(ValueType::kU32);
  LoadsEnds<std::int32_t>(ValueType::kI32);
  LoadsEnds<std::uint64_t>(ValueType::kU64);
  LoadsEnds<std::int64_t>(ValueType::kI64);
}

TEST(LoadInteger, TakesEachByteFromItsPlace) {
  constexpr std::array<std::uint8_t, 8> kBytes = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
  struct Case {
    ValueType type;
    std::uint64_t little;
    std::uint64_t big;
  };
  for (const Case& one :
       std::vector<Case>{{ValueType::kU8, 0x01, 0x01},
                         {ValueType::kU16, 0x0201, 0x0102},
                         {ValueType::kI32, 0x0403'0201, 0x0102'0304},
                         {ValueType::kU64, 0x0807'0605'0403'0201, 0x0102'0304'0506'0708}}) {
    EXPECT_EQ(LoadInteger(one.type, kBytes, ByteOrder::kLittle)->magnitude, one.little);
    EXPECT_EQ(LoadInteger(one.type, kBytes, ByteOrder::kBig)->magnitude, one.big);
  }
}

TEST(LoadInteger, LooksAtNoByteOfOtherTypes) {
  int others = 0;
  for (std::uint32_t id = 0; id < 20; ++id) {
    if (FindValueType(id) != nullptr && IsInteger(ValueType{id})) continue;
    ++others;
    EXPECT_EQ(LoadInteger(ValueType{id}, Bytes(), ByteOrder::kLittle), std::nullopt) << id;
  }
  EXPECT_EQ(others, 12) << "f32, bool, string, array, f64, and seven that do not exist";
}

TEST(Integer, IsUnsignedWhenNotNegative) {
  EXPECT_EQ((Integer{.magnitude = UINT64_MAX}.Unsigned()), UINT64_MAX);
  EXPECT_EQ((Integer{.magnitude = 0}.Unsigned()), 0U);
  EXPECT_EQ((Integer{.magnitude = 5, .negative = true}.Unsigned()), std::nullopt);
}

TEST(Integer, DiffersFromItsOpposite) {
  EXPECT_FALSE((Integer{.magnitude = 5} == Integer{.magnitude = 5, .negative = true}));
  EXPECT_FALSE((Integer{.magnitude = 5} == Integer{.magnitude = 6}));
  EXPECT_TRUE((Integer{.magnitude = 5} == Integer{.magnitude = 5, .negative = false}));
}

}  // namespace
}  // namespace ggufgate

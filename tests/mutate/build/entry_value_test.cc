#include "mutate/build/entry_value.h"

#include <gtest/gtest.h>

#include "mutate/build/compose.h"

namespace ggufgate::mutate {
namespace {

class EntryValue : public testing::Test {
 protected:
  template <Scalar T>
  Entry Number(T value) {
    return NumberEntry(arena_, "k", value);
  }
  Entry Text(std::string_view text) { return TextEntry(arena_, "k", text); }
  Entry Array(ValueType element, std::uint64_t count = 0) {
    return EntryOf("k", ValueType::kArray, PlainArrayValue(arena_, element, count, 1, "1"));
  }

  Arena arena_{4096};
};

TEST_F(EntryValue, IntegersMayBeNegative) {
  EXPECT_TRUE(IntegerOf(Number(std::uint16_t{0xFEDC})) == Integer{.magnitude = 0xFEDC});
  EXPECT_EQ(UnsignedOf(Number(std::uint16_t{0xFEDC})), 0xFEDCU);
  EXPECT_TRUE(IntegerOf(Number(INT64_MIN)) ==
              (Integer{.magnitude = std::uint64_t{1} << 63, .negative = true}));
  EXPECT_EQ(UnsignedOf(Number(INT64_MIN)), std::nullopt);
}

TEST_F(EntryValue, NothingElseIsAnInteger) {
  for (const Entry& entry :
       {Number(true), Number(1.0F), Number(1.0), Text("1"), Array(ValueType::kU32, 1)}) {
    EXPECT_EQ(IntegerOf(entry), std::nullopt) << entry.type;
    EXPECT_EQ(UnsignedOf(entry), std::nullopt) << entry.type;
  }
}

TEST_F(EntryValue, TextsAreThoseOfStrings) {
  for (const std::string_view text : {std::string_view(""), std::string_view("a\0b", 3)}) {
    EXPECT_EQ(TextOf(Text(text)), text);
  }
  EXPECT_EQ(TextOf(Array(ValueType::kString)), std::nullopt);
  EXPECT_EQ(TextOf(Number(std::uint64_t{0})), std::nullopt);
  Entry cut = Text("");
  cut.value = cut.value.first(kStringHead - 1);
  EXPECT_EQ(TextOf(cut), std::nullopt);
}

TEST_F(EntryValue, ArraysHaveAHeadAndElements) {
  const Entry entry = Array(ValueType::kI16, 3);
  EXPECT_TRUE(IsArrayOf(entry, ValueType::kI16));
  EXPECT_FALSE(IsArrayOf(entry, ValueType::kU16));
  EXPECT_EQ(ElementTypeOf(entry), ValueType::kI16);
  EXPECT_EQ(CountOf(entry), 3U);
  EXPECT_EQ(ElementsOf(entry).size(), 6U);
  EXPECT_EQ(ElementsOf(entry).data(), entry.value.data() + 12);
  // The bytes of a scalar may look like the head of an array.
  EXPECT_FALSE(IsArrayOf(Number(std::uint64_t{IdOf(ValueType::kI16)}), ValueType::kI16));
}

TEST_F(EntryValue, PartsAreThoseOfWholeArrays) {
  Entry entry = Array(ValueType::kI16, 3);
  ASSERT_TRUE(PartsOf(entry));
  EXPECT_EQ(PartsOf(entry)->element, ValueType::kI16);
  EXPECT_EQ(PartsOf(entry)->count, 3U);
  EXPECT_EQ(PartsOf(entry)->element_bytes, 2U);
  EXPECT_EQ(PartsOf(entry)->elements.size(), 6U);
  for (const std::size_t size : {17U, 11U, 0U}) {
    entry.value = entry.value.first(size);
    EXPECT_FALSE(PartsOf(entry)) << size;
  }
  EXPECT_EQ(PartsOf(Array(ValueType::kString, 2))->element_bytes, 0U);
  EXPECT_FALSE(PartsOf(Array(ValueType::kArray)));
  EXPECT_FALSE(PartsOf(EntryOf("k", ValueType::kArray, ArrayValue(arena_, ValueType{13}, 0, {}))));
  EXPECT_FALSE(PartsOf(Text("text")));
}

TEST_F(EntryValue, HasShapesByTypeAndElement) {
  EXPECT_TRUE(HasShape(Number(std::uint16_t{1}), KeyShape::kU16));
  EXPECT_FALSE(HasShape(Number(std::uint16_t{1}), KeyShape::kIntegers));
  EXPECT_TRUE(HasShape(Array(ValueType::kU16), KeyShape::kIntegers));
  EXPECT_FALSE(HasShape(Array(ValueType::kU16), KeyShape::kBytes));
}

}  // namespace
}  // namespace ggufgate::mutate

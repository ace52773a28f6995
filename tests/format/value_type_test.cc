#include "format/value_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace ggufgate {
namespace {

// An independent copy of the table of FORMAT: number, word, bytes of a scalar, minimum bytes of an
// array element, integer or not.
struct Row {
  std::uint32_t id;
  std::string_view word;
  std::uint32_t scalar_bytes;
  std::uint64_t minimum_bytes;
  bool integer;
};

constexpr Row kRows[] = {
    {0, "u8", 1, 1, true},      {1, "i8", 1, 1, true},    {2, "u16", 2, 2, true},
    {3, "i16", 2, 2, true},     {4, "u32", 4, 4, true},   {5, "i32", 4, 4, true},
    {6, "f32", 4, 4, false},    {7, "bool", 1, 1, false}, {8, "string", 0, 8, false},
    {9, "array", 0, 12, false}, {10, "u64", 8, 8, true},  {11, "i64", 8, 8, true},
    {12, "f64", 8, 8, false},
};

TEST(ValueType, EveryNumberOfTheSpecificationIsKnownAsItStands) {
  for (const Row& row : kRows) {
    const ValueTypeInfo* info = FindValueType(row.id);
    ASSERT_NE(info, nullptr) << row.id;
    EXPECT_EQ(static_cast<std::uint32_t>(info->type), row.id);
    EXPECT_EQ(info->word, row.word);
    EXPECT_EQ(info->scalar_bytes, row.scalar_bytes) << row.word;
    EXPECT_EQ(MinimumBytes(info->type), row.minimum_bytes) << row.word;
    EXPECT_EQ(IsInteger(info->type), row.integer) << row.word;
    EXPECT_EQ(&InfoOf(info->type), info);
    EXPECT_EQ(FindValueTypeNamed(row.word), info);
  }
}

TEST(ValueType, OtherWordsAreNone) {
  for (const char* word : {"", "u33", "U32", "u32 "}) {
    EXPECT_EQ(FindValueTypeNamed(word), nullptr) << word;
  }
}

TEST(ValueType, ThereIsNo13AndNothingAbove) {
  EXPECT_NE(FindValueType(12), nullptr);
  for (const std::uint32_t id : {13U, 14U, 15U, 255U, 256U, 0x0C00'0000U, UINT32_MAX}) {
    EXPECT_EQ(FindValueType(id), nullptr) << id;
  }
}

TEST(ValueType, NamesOfTheEnumerationHaveTheNumbersOfTheSpecification) {
  EXPECT_EQ(FindValueType(4)->type, ValueType::kU32) << "some texts have a float16 here";
  EXPECT_EQ(FindValueType(7)->type, ValueType::kBool);
  EXPECT_EQ(FindValueType(8)->type, ValueType::kString);
  EXPECT_EQ(FindValueType(9)->type, ValueType::kArray);
  EXPECT_EQ(FindValueType(12)->type, ValueType::kF64);
}

TEST(ValueType, NoElementIsFree) {
  for (std::uint32_t id = 0; id <= 12; ++id) {
    EXPECT_GE(MinimumBytes(FindValueType(id)->type), 1U) << "counts are divided by it";
  }
}

TEST(ValueType, WordsAreUnique) {
  std::set<std::string_view> words;
  for (std::uint32_t id = 0; id <= 12; ++id) words.insert(FindValueType(id)->word);
  EXPECT_EQ(words.size(), 13U);
}

}  // namespace
}  // namespace ggufgate

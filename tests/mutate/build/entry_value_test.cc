#include "mutate/build/entry_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint32_t IdOf(ValueType type) { return static_cast<std::uint32_t>(type); }

// Value is an entry with the bytes it views.
struct Value {
  template <Scalar T>
  static Value Of(ValueType type, T number) {
    Value value(type);
    Writer(value.bytes, {}).Put(number);
    return value;
  }
  static Value Text(std::string_view text) {
    Value value(ValueType::kString);
    Writer(value.bytes, {}).PutString(text);
    value.size = kStringHead + text.size();
    return value;
  }
  static Value ArrayOf(ValueType element, std::uint64_t count = 0) {
    Value value(ValueType::kArray);
    Writer(value.bytes, {}).Put(IdOf(element)).PutWord(count);
    value.size = kArrayHead + count * InfoOf(element).scalar_bytes;
    return value;
  }

  explicit Value(ValueType type_in) : type(type_in), size(InfoOf(type_in).scalar_bytes) {}
  [[nodiscard]] Entry AsEntry() const {
    return {.key = "k", .type = IdOf(type), .value = Bytes(bytes).first(size)};
  }

  ValueType type;
  std::size_t size;
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(64);
};

TEST(EntryValue, IntegersOfEveryType) {
  struct Case {
    Value value;
    Integer integer;
  };
  const std::vector<Case> cases = {
      {Value::Of(ValueType::kU8, std::uint8_t{255}), {.magnitude = 255}},
      {Value::Of(ValueType::kI8, std::int8_t{-128}), {.magnitude = 128, .negative = true}},
      {Value::Of(ValueType::kU16, std::uint16_t{0xFEDC}), {.magnitude = 0xFEDC}},
      {Value::Of(ValueType::kI16, std::int16_t{-1}), {.magnitude = 1, .negative = true}},
      {Value::Of(ValueType::kU32, UINT32_MAX), {.magnitude = UINT32_MAX}},
      {Value::Of(ValueType::kI32, INT32_MIN), {.magnitude = 0x8000'0000, .negative = true}},
      {Value::Of(ValueType::kU64, UINT64_MAX), {.magnitude = UINT64_MAX}},
      {Value::Of(ValueType::kI64, INT64_MIN),
       {.magnitude = std::uint64_t{1} << 63, .negative = true}},
      {Value::Of(ValueType::kI64, std::int64_t{0}), {.magnitude = 0}},
  };
  for (const Case& one : cases) {
    const Entry entry = one.value.AsEntry();
    const std::string_view word = InfoOf(one.value.type).word;
    EXPECT_TRUE(IntegerOf(entry) == one.integer) << word;
    EXPECT_EQ(UnsignedOf(entry), one.integer.Unsigned()) << word;
    EXPECT_EQ(UnsignedOf(entry).has_value(), !one.integer.negative) << word;
  }
}

TEST(EntryValue, NothingElseIsAnInteger) {
  for (const Value& value :
       {Value::Of(ValueType::kBool, std::uint8_t{1}), Value::Of(ValueType::kF32, 1.0F),
        Value::Of(ValueType::kF64, 1.0), Value::Text("1"), Value::ArrayOf(ValueType::kU32, 1)}) {
    EXPECT_EQ(IntegerOf(value.AsEntry()), std::nullopt) << InfoOf(value.type).word;
    EXPECT_EQ(UnsignedOf(value.AsEntry()), std::nullopt) << InfoOf(value.type).word;
  }
}

TEST(EntryValue, TextsAreThoseOfStrings) {
  for (const std::string_view text : {"", "llama", "a\xC3\xA9"}) {
    const Value value = Value::Text(text);
    EXPECT_EQ(TextOf(value.AsEntry()), text);
  }
  const std::string_view with_nul("a\0b", 3);
  const Value value = Value::Text(with_nul);
  EXPECT_EQ(TextOf(value.AsEntry()), with_nul);
  EXPECT_EQ(TextOf(Value::ArrayOf(ValueType::kString).AsEntry()), std::nullopt);
  EXPECT_EQ(TextOf(Value::Of(ValueType::kU64, std::uint64_t{0}).AsEntry()), std::nullopt);
}

TEST(EntryValue, ArraysHaveAHeadAndElements) {
  const Value value = Value::ArrayOf(ValueType::kI16, 3);
  const Entry entry = value.AsEntry();
  EXPECT_TRUE(IsArrayOf(entry, ValueType::kI16));
  EXPECT_FALSE(IsArrayOf(entry, ValueType::kU16));
  EXPECT_EQ(ElementTypeOf(entry), ValueType::kI16);
  EXPECT_EQ(CountOf(entry), 3U);
  EXPECT_EQ(ElementsOf(entry).size(), 6U);
  EXPECT_EQ(ElementsOf(entry).data(), entry.value.data() + 12);
  // The bytes of a scalar may look like the head of an array.
  const Value scalar = Value::Of(ValueType::kU64, std::uint64_t{IdOf(ValueType::kI16)});
  EXPECT_FALSE(IsArrayOf(scalar.AsEntry(), ValueType::kI16));
}

TEST(EntryValue, StringsAreWalkedToTheEnd) {
  std::vector<std::uint8_t> bytes(100);
  const std::array<std::string, 4> texts = {"<s>", "", "a b", std::string(40, 'x')};
  Writer writer(bytes, {});
  for (const std::string& text : texts) writer.PutString(text);
  Strings strings(Bytes(bytes).first(writer.at()));
  for (const std::string& text : texts) {
    ASSERT_TRUE(strings.More()) << text;
    EXPECT_EQ(strings.Next(), text);
  }
  EXPECT_FALSE(strings.More());
  EXPECT_FALSE(Strings({}).More());
}

constexpr std::string_view kIntegers = "u8 i8 u16 i16 u32 i32 u64 i64 ";
constexpr std::string_view kArrays = "[u8] [i8] [u16] [i16] [u32] [i32] [u64] [i64] ";

std::string Together(std::string_view first, std::string_view second = "",
                     std::string_view third = "") {
  return std::string(first).append(second).append(third);
}

// AllowedFor are the types that a shape allows: words, in brackets for arrays of them.
std::string AllowedFor(KeyShape shape) {
  switch (shape) {
    case KeyShape::kString:
      return "string ";
    case KeyShape::kBool:
      return "bool ";
    case KeyShape::kU16:
      return "u16 ";
    case KeyShape::kU32:
      return "u32 ";
    case KeyShape::kI32:
      return "i32 ";
    case KeyShape::kInteger:
      return Together(kIntegers);
    case KeyShape::kF32:
      return "f32 ";
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
      return Together(kIntegers, kArrays);
    case KeyShape::kLayerFloats:
      return "f32 [f32] ";
    case KeyShape::kLayerBools:
      return Together(kIntegers, kArrays, "bool [bool] ");
    case KeyShape::kIntegers:
      return Together(kArrays);
    case KeyShape::kI32s:
      return "[i32] ";
    case KeyShape::kF32s:
      return "[f32] ";
    case KeyShape::kStrings:
      return "[string] ";
    case KeyShape::kBytes:
      return "[u8] [i8] ";
  }
  return "no such shape";
}

TEST(EntryValue, HasTheShapesItMayHave) {
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(KeyShape::kBytes); ++i) {
    const KeyShape shape{i};
    const std::string allowed = " " + AllowedFor(shape);
    for (std::uint32_t id = 0; FindValueType(id) != nullptr; ++id) {
      const ValueType type{id};
      const std::string word(InfoOf(type).word);
      const bool scalar_allowed = allowed.find(" " + word + " ") != std::string::npos;
      const bool array_allowed = allowed.find(" [" + word + "] ") != std::string::npos;
      if (type != ValueType::kArray) {
        EXPECT_EQ(HasShape(Value(type).AsEntry(), shape), scalar_allowed)
            << word << " as " << WordFor(shape);
      }
      EXPECT_EQ(HasShape(Value::ArrayOf(type).AsEntry(), shape), array_allowed)
          << "array of " << word << " as " << WordFor(shape);
    }
  }
}

}  // namespace
}  // namespace ggufgate::mutate

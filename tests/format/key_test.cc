#include "format/key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ggufgate {
namespace {

TEST(FindKey, FindsEveryKeyOfTheTable) {
  std::set<std::string_view> patterns;
  for (const KeyInfo& key : AllKeys()) {
    SCOPED_TRACE(key.pattern);
    EXPECT_TRUE(patterns.insert(key.pattern).second);
    EXPECT_FALSE(key.what.empty());
    std::string text(key.pattern);
    const std::size_t at = text.find("{arch}");
    if (at != std::string::npos) {
      EXPECT_EQ(at, 0U);
      EXPECT_EQ(FindKey(text, ""), nullptr) << "no file has such a key";
      text.replace(0, 6, "some-arch");
    }
    const KeyInfo* found = FindKey(text, "some-arch");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->pattern, key.pattern);
  }
}

// Slow does the same as FindKey by comparing every key.
const KeyInfo* Slow(std::string_view key, std::string_view architecture) {
  const KeyInfo* found = nullptr;
  for (const KeyInfo& info : AllKeys()) {
    std::string name(info.pattern);
    const bool of_architecture = name.starts_with("{arch}");
    if (of_architecture) name.replace(0, 6, architecture);
    if (name != key || (of_architecture && architecture.empty())) continue;
    if (found == nullptr || !of_architecture) found = &info;
  }
  return found;
}

TEST(FindKey, FindsNoOther) {
  for (const std::string_view architecture : {"", "llama", "clip", "clip.vision", "general"}) {
    for (std::size_t id = 0; id < AllKeys().size(); id += 3) {
      std::string name(AllKeys()[id].pattern);
      if (name.starts_with("{arch}")) name.replace(0, 6, architecture);
      for (const std::string& tried : {name, name + "x", name.substr(1), "x" + name}) {
        const KeyInfo* const expected = Slow(tried, architecture);
        EXPECT_EQ(FindKey(tried, architecture), expected) << tried;
        const KeyId found = FindKeyId(tried, architecture);
        EXPECT_EQ(found == kUnknownKey ? nullptr : &AllKeys()[found], expected) << tried;
      }
    }
  }
}

TEST(FindKey, GoesByTheArchitecture) {
  ASSERT_NE(FindKey("llama.block_count", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llama")->shape, KeyShape::kInteger);
  EXPECT_EQ(FindKey("llama.block_count", ""), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llam"), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "llama."), nullptr);
  EXPECT_EQ(FindKey("llama.block_count", "qwen2"), nullptr);
  EXPECT_EQ(FindKey("llama", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama_block_count", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_coun", "llama"), nullptr);
  EXPECT_EQ(FindKey("llama.block_counts", "llama"), nullptr);
  EXPECT_EQ(FindKey("", "llama"), nullptr);
  EXPECT_NE(FindKey("general.architecture", ""), nullptr);
  // An architecture may have the name of a family of keys.
  EXPECT_NE(FindKey("split.block_count", "split"), nullptr);
  EXPECT_EQ(FindKey("split.no", "split")->pattern, "split.no");
}

constexpr std::string_view kIntegers = "u8 i8 u16 i16 u32 i32 u64 i64 ";
constexpr std::string_view kArrays = "[u8] [i8] [u16] [i16] [u32] [i32] [u64] [i64] ";

std::string Together(std::string_view first, std::string_view second = "",
                     std::string_view third = "") {
  return std::string(first).append(second).append(third);
}

// AllowedFor lists the types that a shape allows: words, in brackets for arrays of them.
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

TEST(KeyShapes, AllowTheTypesTheyMayHave) {
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(KeyShape::kBytes); ++i) {
    const KeyShape shape{i};
    const std::string allowed = " " + AllowedFor(shape);
    const auto allows = [&](const std::string& word) {
      return allowed.find(" " + word + " ") != std::string::npos;
    };
    EXPECT_EQ(MayBeArray(shape), allowed.find('[') != std::string::npos) << WordFor(shape);
    for (std::uint32_t id = 0; FindValueType(id) != nullptr; ++id) {
      const ValueType type{id};
      const std::string word(InfoOf(type).word);
      EXPECT_EQ(HasShape(ValueType::kArray, type, shape), allows("[" + word + "]"))
          << "array of " << word << " as " << WordFor(shape);
      if (type == ValueType::kArray) continue;
      EXPECT_EQ(HasShape(type, ValueType::kArray, shape), allows(word))
          << word << " as " << WordFor(shape);
    }
    EXPECT_FALSE(HasShape(ValueType{13}, ValueType::kU8, shape));
    EXPECT_FALSE(HasShape(ValueType{32 + 4}, ValueType::kU8, shape)) << "no bit is found again";
  }
}

TEST(KeyShapes, HaveWordsAndSayWhichAreByLayer) {
  for (int i = 0; i <= static_cast<int>(KeyShape::kBytes); ++i) {
    EXPECT_FALSE(WordFor(static_cast<KeyShape>(i)).empty()) << i;
  }
  EXPECT_EQ(WordFor(KeyShape::kU16), "a u16");
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerIntegers));
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerFloats));
  EXPECT_TRUE(IsPerLayer(KeyShape::kLayerBools));
  EXPECT_FALSE(IsPerLayer(KeyShape::kOneOrMoreIntegers));
  EXPECT_FALSE(IsPerLayer(KeyShape::kIntegers));
}

}  // namespace
}  // namespace ggufgate

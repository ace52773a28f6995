#include "report/values.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

// Shown is the only value of a model as text and as JSON.
struct Shown {
  std::string type, text, json;
};

Shown Show(const Model& model, std::uint64_t most = 8, std::size_t width = 40) {
  const std::vector<std::uint8_t> file = Write(model);
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  EXPECT_FALSE(parsed.document.fault);
  const MetadataEntry& entry = parsed.document.metadata.at(0);
  return {TypeWordOf(entry), TextOfValue(parsed.document, entry, width),
          JsonOfValue(parsed.document, entry, most).dump()};
}

template <typename T>
Shown ShowValue(const T& value) {
  return Show(Model().Set("k", value));
}

void Expect(const Shown& shown, std::string_view type, std::string_view text,
            std::string_view json) {
  EXPECT_EQ(shown.type, type);
  EXPECT_EQ(shown.text, text) << type;
  EXPECT_EQ(shown.json, json) << type;
}

TEST(Values, ShowsIntegersOfEveryWidth) {
  Expect(ShowValue(std::uint8_t{255}), "u8", "255", "255");
  Expect(ShowValue(std::int8_t{-128}), "i8", "-128", "-128");
  Expect(ShowValue(std::uint16_t{65'535}), "u16", "65535", "65535");
  Expect(ShowValue(std::int16_t{-32'768}), "i16", "-32768", "-32768");
  Expect(ShowValue(std::uint32_t{4'294'967'295}), "u32", "4294967295", "4294967295");
  Expect(ShowValue(std::numeric_limits<std::int32_t>::min()), "i32", "-2147483648", "-2147483648");
  Expect(ShowValue(std::uint64_t{UINT64_MAX}), "u64", "18446744073709551615",
         "18446744073709551615");
  Expect(ShowValue(std::int64_t{INT64_MIN}), "i64", "-9223372036854775808", "-9223372036854775808");
}

TEST(Values, ShowsFloatsAndWhatJsonHasNot) {
  Expect(ShowValue(0.5F), "f32", "0.5", "0.5");
  Expect(ShowValue(-1e300), "f64", "-1e+300", "-1e+300");
  Expect(ShowValue(std::numeric_limits<float>::quiet_NaN()), "f32", "NaN", "\"NaN\"");
  Expect(ShowValue(std::numeric_limits<double>::infinity()), "f64", "Infinity", "\"Infinity\"");
  Expect(ShowValue(-std::numeric_limits<float>::infinity()), "f32", "-Infinity", "\"-Infinity\"");
  Expect(ShowValue(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}), "f32 × 2",
         R"([1.0, "NaN"])", R"([1.0,"NaN"])");
}

TEST(Values, ShowsBoolsAndTheByteOfWhatIsNone) {
  Expect(ShowValue(true), "bool", "true", "true");
  Expect(ShowValue(false), "bool", "false", "false");
  Expect(Show(Model().SetRaw("k", ValueType::kBool, {2})), "bool", "2", "2");
  Expect(Show(Model().SetRaw("k", ValueType::kBool, {255})), "bool", "255", "255");
}

TEST(Values, ShowsStringsQuotedAndEscaped) {
  Expect(ShowValue("llama"), "string", "\"llama\"", "\"llama\"");
  Expect(ShowValue(""), "string", "\"\"", "\"\"");
  Expect(ShowValue("a\x1b\"\xff"), "string", R"("a\x1b\"\xff")", R"("a\\x1b\"\\xff")");
}

TEST(Values, ReadsBigEndianNumbers) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set("k", std::vector<std::uint16_t>{1, 0x1234});
  Expect(Show(model), "u16 × 2", "[1, 4660]", "[1,4660]");
}

TEST(Values, CutsArraysAndSaysSo) {
  const std::vector<std::uint32_t> nine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<std::uint32_t> eight(nine.begin(), nine.end() - 1);
  Expect(ShowValue(eight), "u32 × 8", "[1, 2, 3, 4, 5, 6, 7, 8]", "[1,2,3,4,5,6,7,8]");
  Expect(ShowValue(nine), "u32 × 9", "[1, 2, 3, 4, 5, 6, 7, 8, …]", "[1,2,3,4,5,6,7,8]");
  EXPECT_EQ(Show(Model().Set("k", nine), UINT64_MAX).json, "[1,2,3,4,5,6,7,8,9]");
  EXPECT_EQ(Show(Model().Set("k", nine), 0).json, "[]");
  Expect(ShowValue(std::vector<std::uint32_t>{}), "u32 × 0", "[]", "[]");
}

TEST(Values, ShowsArraysOfStringsEscaped) {
  const std::vector<std::string> tokens = {"a", "", "\n"};
  const Shown shown = ShowValue(tokens);
  EXPECT_EQ(shown.type, "string × 3");
  EXPECT_EQ(shown.json, R"(["a","","\\x0a"])");
  EXPECT_TRUE(testing::IsHarmless(shown.text));
  EXPECT_EQ(Show(Model().Set("k", tokens), 2).json, R"(["a",""])");
}

TEST(Values, GroupsTheThousandsOfACount) {
  EXPECT_EQ(ShowValue(std::vector<std::uint8_t>(32'000)).type, "u8 × 32,000");
}

// Nested builds arrays of arrays: the payload of [[1, 2], [], [3]] of u8.
std::vector<std::uint8_t> Nested() {
  Encoder payload(ByteOrder::kLittle);
  const auto head = [&](ValueType type, std::uint64_t count) {
    payload.Put(static_cast<std::uint32_t>(type)).Put(count);
  };
  head(ValueType::kArray, 3);
  head(ValueType::kU8, 2);
  payload.Put(std::uint8_t{1}).Put(std::uint8_t{2});
  head(ValueType::kU8, 0);
  head(ValueType::kU8, 1);
  payload.Put(std::uint8_t{3});
  return payload.Take();
}

TEST(Values, ShowsTheInnermostOfNestedArrays) {
  const Model model = Model().SetRaw("k", ValueType::kArray, Nested());
  Expect(Show(model), "array × 3", "[[1,2], [], [3]]", "[[1,2],[],[3]]");
  EXPECT_EQ(Show(model, 2).json, "[[1,2],[]]");
}

TEST(TextOfValue, CutsToTheWidthBetweenCharacters) {
  const std::string letters(50, 'a');
  EXPECT_EQ(Show(Model().Set("k", letters), 8, 10).text, "\"aaaaaaaaaa…\"");
  const std::vector<std::string> accents = {"éééééééééé"};
  for (std::size_t width = 1; width < 20; ++width) {
    const std::string text = Show(Model().Set("k", accents), 8, width).text;
    EXPECT_TRUE(testing::IsHarmless(text)) << width << ": half a character";
    EXPECT_TRUE(text.ends_with("…")) << text;
    EXPECT_LE(text.size(), width + std::string_view("…").size());
  }
}

TEST(TextOfValue, IsHarmlessWhateverTheStringHolds) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    const std::vector<std::string> list = {text};
    for (const Model& model : {Model().Set("k", text), Model().Set("k", list)}) {
      const Shown shown = Show(model);
      EXPECT_TRUE(testing::IsHarmless(shown.text));
      EXPECT_EQ(shown.text.find('\n'), std::string::npos);
      EXPECT_TRUE(testing::IsHarmless(shown.json));
    }
  }
}

}  // namespace
}  // namespace ggufgate

// The values of string literals in templates, and slices and formats like those of Python.

#include "jinja/syntax/strings.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

TEST(DecodeLiteral, KnowsPythonsEscapes) {
  EXPECT_EQ(DecodeLiteral(R"('\n\t\\\'\"')"), "\n\t\\'\"");
  EXPECT_EQ(DecodeLiteral(R"('\x5f\u005f\U0000005F')"), "___");
  EXPECT_EQ(DecodeLiteral(R"('\137\1378\8')"), "__8\\8");
  EXPECT_EQ(DecodeLiteral(R"('\x5g\x5\q')"), R"(\x5g\x5\q)");
  EXPECT_EQ(DecodeLiteral("'a\\"), "a");  // not closed
}

TEST(DecodeLiteral, NamedCharacters) {
  EXPECT_EQ(DecodeLiteral(R"('\N{LOW LINE}\N{low line}')"), "__");
  EXPECT_EQ(DecodeLiteral(R"('\N{FULL STOP}')"), ".");
  EXPECT_EQ(DecodeLiteral(R"('\N{DIGIT ZERO}\N{Digit Nine}')"), "09");
  EXPECT_EQ(DecodeLiteral(R"('\N{LATIN SMALL LETTER C}\N{LATIN CAPITAL LETTER Z}')"), "cZ");
  // Similar names: two letters, none, no letter, another name, no end.
  for (const char* name : {"LATIN SMALL LETTER AE", "LATIN SMALL LETTER ", "LATIN SMALL LETTER 1",
                           "LATIN SMALL LETTER [", "DIGIT TEN", "SNOWMAN", ""}) {
    EXPECT_EQ(DecodeLiteral("'\\N{" + std::string(name) + "}'"), std::string(1, kHole)) << name;
  }
  EXPECT_EQ(DecodeLiteral(R"('\N{LOW LINE')"), R"(\N{LOW LINE)");
}

TEST(DecodeLiteral, ALineEndBehindABackslashIsNothing) {
  EXPECT_EQ(DecodeLiteral("'a\\\nb'"), "ab");
  EXPECT_EQ(DecodeLiteral("'a\\\r\nb'"), "ab");
  EXPECT_EQ(DecodeLiteral("'a\\\rb'"), "ab");
}

TEST(AppendCodePoint, WritesUtf8) {
  const auto utf8 = [](std::uint64_t code_point) {
    std::string out;
    AppendCodePoint(out, code_point);
    return out;
  };
  EXPECT_EQ(utf8(0x7F), "\x7F");
  EXPECT_EQ(utf8(0x80), "\xC2\x80");
  EXPECT_EQ(utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(utf8(0x1'0000), "\xF0\x90\x80\x80");
  EXPECT_EQ(utf8(0x10'FFFF), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(utf8(0x11'0000), std::string(1, kHole));
}

TEST(SliceText, CutsAsPythonDoes) {
  EXPECT_EQ(SliceText("abcd", 1, 3, 1), "bc");
  EXPECT_EQ(SliceText("abcd", {}, {}, -1), "dcba");
  EXPECT_EQ(SliceText("abcd", {}, {}, 2), "ac");
  EXPECT_EQ(SliceText("abcd", -3, -1, 1), "bc");
  EXPECT_EQ(SliceText("abcd", 3, 0, -2), "db");
  EXPECT_EQ(SliceText("abcd", INT64_MIN, INT64_MAX, INT64_MAX), "a");
  EXPECT_EQ(SliceText("abcd", INT64_MAX, INT64_MIN, INT64_MIN), "d");
  EXPECT_EQ(SliceText("abcd", {}, {}, 0), "");  // an error in Python
  EXPECT_EQ(SliceText("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 1, 3, 1), "\xC3\xA9\xE2\x82\xAC");
  // Surrogates, which escapes can write, are characters there; other bytes are separate.
  EXPECT_EQ(SliceText(DecodeLiteral(R"('\ud800\udfffab')"), 2, {}, 1), "ab");
  EXPECT_EQ(SliceText("\xE2"
                      "ab",
                      1, 2, 1),
            "a");
}

TEST(ReplaceAll, PutsOneTextInAnothersPlace) {
  EXPECT_EQ(ReplaceAll("aXbXX", "X", "__"), "a__b____");
  EXPECT_EQ(ReplaceAll("aXb", "Y", "__"), "aXb");
  EXPECT_EQ(ReplaceAll("aXb", "", "__"), "aXb");
  EXPECT_EQ(ReplaceAll("", "X", "__"), "");
}

TEST(FormatPercent, WritesNumbersAsTheLetterAsks) {
  const std::vector<FormatArgument> number = {{.name = "", .text = "95", .number = 95}};
  EXPECT_EQ(FormatPercent("%c", number), "_");
  EXPECT_EQ(FormatPercent("%d", number), "95");
  EXPECT_EQ(FormatPercent("%x %s", number), std::string("5f ") + kHole);
  EXPECT_EQ(FormatPercent("%X", number).size(), 2U);
  EXPECT_EQ(FormatPercent("%o", number), "137");
  EXPECT_EQ(FormatPercent("%c", {{.name = "", .text = "x"}}), "x");
  EXPECT_EQ(FormatPercent("100%% %", number), "100% ");
  EXPECT_EQ(FormatPercent("%(n", number), "");
}

TEST(FormatBraces, TakesArgumentsByOrderNumberAndName) {
  const std::vector<FormatArgument> arguments = {
      {.name = "n", .text = "N"}, {.name = "", .text = "a"}, {.name = "", .text = "b"}};
  const std::string hole(1, kHole);
  EXPECT_EQ(FormatBraces("{}{}{}", arguments), "ab" + hole);
  EXPECT_EQ(FormatBraces("{1}{0}{n}", arguments), "baN");
  EXPECT_EQ(FormatBraces("{m}{2}", arguments), hole + hole);
  EXPECT_EQ(FormatBraces("{{{0}}}{0", arguments), "{a}a");
  // A number with more digits than any index must not overflow.
  EXPECT_EQ(FormatBraces("{99999999999999999999999999}", arguments), hole);
  EXPECT_EQ(FormatBraces("{0x}", arguments), hole);
  EXPECT_EQ(FormatBraces("{0:x}{0!r}", arguments), "aa");
}

TEST(FieldParts, AreWhatAFieldReachesThrough) {
  EXPECT_THAT(FieldParts("{0.a[b].c}{x}{{y.z}}"), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace ggufgate::testing

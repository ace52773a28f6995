#include "words/escape.h"

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bytes/utf8.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using testing::IsHarmless;

// Utf8 encodes one code point, including surrogates, which no decoder accepts.
std::string Utf8(char32_t c) {
  const auto tail = [c](unsigned shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0)};
}

std::string EscapedAsHex(char32_t c) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u{%04x}", static_cast<unsigned>(c));
  return text.data();
}

TEST(EscapeText, LeavesTextAlone) {
  for (const char* text :
       {"", "blk.0.attn_q.weight", "a b", "\"quotes\" 'and' <tags> & [so] {on}", "naïve Grüße",
        "日本語", "العربية", "עברית", "🦙", "e\u0301", "\u00A0"}) {
    EXPECT_EQ(EscapeText(text), text);
  }
}

TEST(EscapeText, EscapesEveryControlCharacter) {
  for (int c = 0; c < 0x20; ++c) {
    std::array<char, 8> expected{};
    std::snprintf(expected.data(), expected.size(), "a\\x%02xb", static_cast<unsigned>(c));
    EXPECT_EQ(EscapeText(std::string("a") + static_cast<char>(c) + "b"), expected.data());
  }
  EXPECT_EQ(EscapeText("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(EscapeText("\n"), "\\x0a");
  EXPECT_EQ(EscapeText("\x7f"), "\\x7f");
  for (char32_t c = 0x80; c <= 0x9F; ++c) EXPECT_EQ(EscapeText(Utf8(c)), EscapedAsHex(c));
}

TEST(EscapeText, EscapesTheBackslashSoThatEscapesCannotBeForged) {
  EXPECT_EQ(EscapeText("\\"), "\\\\");
  EXPECT_EQ(EscapeText("\\x1b"), "\\\\x1b");
}

TEST(EscapeText, EscapesDeceptiveCharactersAndNotTheirNeighbours) {
  struct Range {
    char32_t first, last;
  };
  // Source: Unicode 15, DerivedCoreProperties.txt Default_Ignorable_Code_Point, and general
  // categories Cf, Zl, Zp.
  for (const Range range :
       {Range{0xAD, 0xAD},       Range{0x34F, 0x34F},     Range{0x600, 0x605},
        Range{0x61C, 0x61C},     Range{0x6DD, 0x6DD},     Range{0x70F, 0x70F},
        Range{0x890, 0x891},     Range{0x8E2, 0x8E2},     Range{0x115F, 0x1160},
        Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F},   Range{0x200B, 0x200F},
        Range{0x2028, 0x202E},   Range{0x2060, 0x206F},   Range{0x3164, 0x3164},
        Range{0xFE00, 0xFE0F},   Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},
        Range{0xFFF0, 0xFFFB},   Range{0xFFFE, 0xFFFF},   Range{0x110BD, 0x110BD},
        Range{0x110CD, 0x110CD}, Range{0x13430, 0x1343F}, Range{0x1BCA0, 0x1BCA3},
        Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF}}) {
    for (char32_t c = range.first; c <= range.last; ++c)
      EXPECT_EQ(EscapeText(Utf8(c)), EscapedAsHex(c));
    const std::string before = Utf8(range.first - 1);
    const std::string after = Utf8(range.last + 1);
    EXPECT_EQ(EscapeText(before), before) << EscapedAsHex(range.first - 1);
    EXPECT_EQ(EscapeText(after), after) << EscapedAsHex(range.last + 1);
  }
}

TEST(EscapeText, EscapesTheBlankBraillePattern) {
  EXPECT_EQ(EscapeText("a\u2800b"), "a\\u{2800}b");
  EXPECT_EQ(EscapeText("\u27FF\u2801"), "\u27FF\u2801");
}

std::string Repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(EscapeText, EscapesMarksThatPileUp) {
  const std::string acute = "\u0301";
  const std::string four = "a" + Repeated(acute, 4);
  EXPECT_EQ(EscapeText(four + four), four + four);
  EXPECT_EQ(EscapeText(four + acute), four + "\\u{0301}");
  EXPECT_EQ(EscapeText(four + Repeated(acute, 100) + "b" + acute),
            four + Repeated("\\u{0301}", 100) + "b" + acute);
  // Of all kinds: above, below, around, and Hebrew points.
  EXPECT_EQ(EscapeText("a\u0301\u0316\u20DD\u05B0\u0489"), "a\u0301\u0316\u20DD\u05B0\\u{0489}");
  // An escape between them consists of letters.
  EXPECT_EQ(EscapeText(four + "\u200B" + acute), four + "\\u{200b}" + acute);
  EXPECT_EQ(EscapeText(four + "\xff" + acute), four + "\\xff" + acute);
  EXPECT_EQ(EscapeText(four + "\\" + acute), four + "\\\\" + acute);
}

TEST(EscapeText, EscapesMarksThatStandBesideTheCharacterToo) {
  const std::string visarga = "\u0903";
  const std::string eight = "\u0915" + Repeated(visarga, 8);
  EXPECT_EQ(EscapeText(eight + eight), eight + eight);
  EXPECT_EQ(EscapeText(eight + visarga + "\u0301"), eight + "\\u{0903}\\u{0301}");
  // They neither end a row of other marks, nor count as the fifth of them.
  const std::string four = "a" + Repeated("\u0301", 4);
  EXPECT_EQ(EscapeText(four + visarga + "\u0301"), four + visarga + "\\u{0301}");
  const std::string mixed = "a" + Repeated("\u0301" + visarga, 4);
  EXPECT_EQ(EscapeText(mixed + visarga), mixed + "\\u{0903}");
  EXPECT_EQ(EscapeText(eight + "b" + visarga), eight + "b" + visarga);
  EXPECT_EQ(EscapeText(eight + "\u200B" + visarga), eight + "\\u{200b}" + visarga);
}

TEST(EscapeText, LeavesWordsOfScriptsWithManyMarksAlone) {
  for (const char* text :
       {"हिन्दी स्त्रियों के क्षत्रिय दुःख", "தமிழ் நூற்றுக்கணக்கான கொள்கிறோம்", "বাংলা স্বাস্থ্যকেন্দ্রগুলোতে",
        "മലയാളം സ്ത്രീകൾക്കും", "ಕನ್ನಡ ಸ್ತ್ರೀಯರು", "తెలుగు స్త్రీలకు", "ગુજરાતી સ્ત્રીઓ",
        "සිංහල ස්ත්‍රීන්ට", "\u101C\u103B\u103E\u1031\u102C\u1037"}) {
    std::string kept = text;
    constexpr std::string_view kJoiner = "\u200D";  // always escaped
    if (const std::size_t at = kept.find(kJoiner); at != std::string::npos) {
      kept.replace(at, kJoiner.size(), "\\u{200d}");
    }
    EXPECT_EQ(EscapeText(text), kept);
  }
}

TEST(EscapeText, BeginsNoCommandOfALog) {
  EXPECT_EQ(EscapeText("##[error]x"), "\\x23#[error]x");
  EXPECT_EQ(EscapeText("a ##[add-mask]b##[x"), "a \\x23#[add-mask]b\\x23#[x");
  EXPECT_EQ(EscapeText("###["), "#\\x23#[");
  EXPECT_EQ(EscapeText("##vso[task.setvariable]##VSO["), "\\x23#vso[task.setvariable]\\x23#VSO[");
  EXPECT_EQ(EscapeText("##teamcity[x]"), "\\x23#teamcity[x]");
  EXPECT_EQ(Quoted("##[error]"), "\"\\x23#[error]\"");
  for (const char* text :
       {"#[", "##", "## [", "#x#[", "##ing", "##2[", "[##]", "# # [x]", "##{x}"}) {
    EXPECT_EQ(EscapeText(text), text);
  }
}

TEST(WithoutCommand, NoLineBeginsWithTwoColons) {
  EXPECT_EQ(WithoutCommand("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(WithoutCommand(" \t\u00A0\u3000::error::x"), " \t\u00A0\u3000\\x3a:error::x");
  EXPECT_EQ(WithoutCommand("::"), "\\x3a:");
  for (const char* text : {"", " ", ":", ": :", "a::b", "std::string", "\\x3a:error::x"}) {
    EXPECT_EQ(WithoutCommand(text), text);
  }
}

TEST(EscapeText, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(EscapeText("\xff"), "\\xff");
  EXPECT_EQ(EscapeText("a\x80z"), "a\\x80z");
  EXPECT_EQ(EscapeText("\x9b"
                       "31m"),
            "\\x9b31m")
      << "a C1 control, to a terminal in Latin-1";
  EXPECT_EQ(EscapeText("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(EscapeText("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(EscapeText("\xe2\x82z€"), "\\xe2\\x82z€");
  EXPECT_EQ(EscapeText(Utf8(0xD800)), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(EscapeText("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "past the last";
  EXPECT_EQ(EscapeText(std::string("\0", 1)), "\\x00");
}

// RandomText prefers byte sequences at the borders of a decoder's cases.
std::string RandomText(std::mt19937_64& random) {
  static const std::vector<std::string> kPieces = {"\u0301\u0301\u0301",
                                                   "\u20DD",
                                                   "\u2800",
                                                   "\\",
                                                   "x",
                                                   "u{",
                                                   "}",
                                                   "00",
                                                   "1b",
                                                   "\"",
                                                   "\n",
                                                   "é",
                                                   "日",
                                                   "🦙",
                                                   "\x80",
                                                   "\xC2",
                                                   "\xE2\x80",
                                                   "\xF0\x9F",
                                                   "\xE2\x80\xAE",
                                                   "a",
                                                   "##[",
                                                   "#",
                                                   "[",
                                                   "\u0903\u0903\u0903\u0903",
                                                   "\x1b",
                                                   "\xff",
                                                   "\x9b",
                                                   "\xC2\x9B",
                                                   "\xED\xA0\x80",
                                                   "0",
                                                   "\x7f"};
  std::string text;
  for (std::uint64_t left = random() % 12; left > 0; --left) {
    if (random() % 3 == 0) {
      text += static_cast<char>(random() & 0xFF);
    } else {
      text += kPieces.at(random() % kPieces.size());
    }
  }
  return text;
}

// Unescaped is the inverse, as described in the header.
std::string Unescaped(std::string_view escaped) {
  std::string text;
  while (!escaped.empty()) {
    if (escaped.starts_with("\\\\")) {
      text += '\\';
      escaped.remove_prefix(2);
    } else if (escaped.starts_with("\\x")) {
      text += static_cast<char>(std::stoul(std::string(escaped.substr(2, 2)), nullptr, 16));
      escaped.remove_prefix(4);
    } else if (escaped.starts_with("\\u{")) {
      const std::size_t end = escaped.find('}');
      text += Utf8(
          static_cast<char32_t>(std::stoul(std::string(escaped.substr(3, end - 3)), nullptr, 16)));
      escaped.remove_prefix(end + 1);
    } else {
      text += escaped.front();
      escaped.remove_prefix(1);
    }
  }
  return text;
}

TEST(EscapeText, MakesEveryTextHarmlessAndLosesNothing) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = RandomText(random);
    const std::string escaped = EscapeText(text);
    ASSERT_TRUE(IsHarmless(escaped));
    ASSERT_EQ(escaped.find('\n'), std::string::npos);
    // The inverse gives the original, so no two texts look the same.
    ASSERT_EQ(Unescaped(escaped), text) << escaped;
  }
}

TEST(EscapeText, TellsLookalikesApart) {
  const std::vector<std::string> texts = {"\x9b",    "\xC2\x9b", "\\x9b", "\\u{009b}",
                                          "\\\\x9b", "x9b",      "\\",    "\\\\"};
  std::set<std::string> shown;
  for (const std::string& text : texts) shown.insert(EscapeText(text));
  EXPECT_EQ(shown.size(), texts.size());
}

TEST(Quoted, PutsQuotesAroundAndEscapesThoseInside) {
  EXPECT_EQ(Quoted(""), "\"\"");
  EXPECT_EQ(Quoted("a"), "\"a\"");
  EXPECT_EQ(Quoted("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(Quoted("a\\"), "\"a\\\\\"");
  EXPECT_EQ(Quoted("\n"), "\"\\x0a\"");
}

TEST(Quoted, CutsLongTextAndSaysSo) {
  EXPECT_EQ(Quoted("abcdef", 6), "\"abcdef\"");
  EXPECT_EQ(Quoted("abcdefg", 6), "\"abcdef…\"");
  EXPECT_EQ(Quoted("a", 0), "\"…\"");
  EXPECT_EQ(Quoted(std::string(96, 'a')), "\"" + std::string(96, 'a') + "\"");
  EXPECT_EQ(Quoted(std::string(97, 'a')), "\"" + std::string(96, 'a') + "…\"");
}

TEST(Quoted, CutsBetweenCharactersNotInside) {
  EXPECT_EQ(Quoted("aé", 2), "\"a…\"");
  EXPECT_EQ(Quoted("aé", 3), "\"aé\"");
  EXPECT_EQ(Quoted("aéz", 3), "\"aé…\"");
  for (const std::size_t longest : {4U, 5U, 6U}) EXPECT_EQ(Quoted("abc🦙", longest), "\"abc…\"");
  EXPECT_EQ(Quoted("🦙🦙", 3), "\"…\"");
  EXPECT_EQ(Quoted("🦙🦙", 4), "\"🦙…\"");
}

TEST(Quoted, CutsBytesThatAreNoCharacterWhereTheyStand) {
  EXPECT_EQ(Quoted("ab\x80\x80\x80\x80", 4), "\"ab\\x80\\x80…\"");
  EXPECT_EQ(Quoted("a\xe2\x82zz", 3), "\"a\\xe2\\x82…\"");
}

TEST(Quoted, IsHarmlessWhereverItIsCut) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = RandomText(random);
    const std::size_t longest = random() % 20;
    const std::string quoted = Quoted(text, longest);
    ASSERT_TRUE(IsHarmless(quoted));
    if (text.ends_with("…")) continue;  // for random bytes
    ASSERT_EQ(quoted.ends_with("…\""), text.size() > longest) << quoted;
  }
}

}  // namespace
}  // namespace ggufgate

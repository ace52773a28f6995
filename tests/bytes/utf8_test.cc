#include "bytes/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/vector_targets.h"

namespace ggufgate {
namespace {

using Text = std::vector<std::uint8_t>;

// Encode writes a code point of up to 21 bits with the bit patterns only. This is the inverse of
// the tested function, without table 3-7.
Text Encode(std::uint32_t point) {
  const auto byte = [](std::uint32_t value) { return static_cast<std::uint8_t>(value); };
  const auto next = [&](int shift) { return byte(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) return {byte(point)};
  if (point < 0x800) return {byte(0xC0 | point >> 6), next(0)};
  if (point < 0x10000) return {byte(0xE0 | point >> 12), next(6), next(0)};
  return {byte(0xF0 | point >> 18), next(12), next(6), next(0)};
}

// OracleLength returns the length of the character at the front. Bytes are a character if decoding
// and encoding gives the same bytes and the code point exists.
std::size_t OracleLength(Bytes rest) {
  static constexpr std::array<std::uint8_t, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  for (std::size_t length = 1; length <= 4 && length <= rest.size(); ++length) {
    std::uint32_t point = rest.front() & kLeadBits.at(length);
    for (const std::uint8_t byte : rest.subspan(1, length - 1)) point = point << 6 | (byte & 0x3F);
    const bool exists = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    if (exists && std::ranges::equal(Encode(point), rest.first(length))) return length;
  }
  return 0;
}

std::size_t OraclePrefixLength(Bytes bytes) {
  std::size_t good = 0;
  while (good < bytes.size()) {
    const std::size_t length = OracleLength(bytes.subspan(good));
    if (length == 0) break;
    good += length;
  }
  return good;
}

// ExpectAllAgree compares both functions with the oracle. It returns true if the text is UTF-8.
bool ExpectAllAgree(const Text& text) {
  const std::size_t good = OraclePrefixLength(text);
  EXPECT_EQ(Utf8PrefixLength(text), good) << ::testing::PrintToString(text);
  EXPECT_EQ(IsUtf8(text), good == text.size()) << ::testing::PrintToString(text);
  const TextFacts facts = FactsOf(text);
  EXPECT_EQ(facts.is_utf8, good == text.size()) << ::testing::PrintToString(text);
  EXPECT_EQ(facts.zeros, static_cast<std::uint64_t>(std::ranges::count(text, 0)));
  EXPECT_EQ(facts.has_ef, std::ranges::count(text, 0xEF) > 0);
  return good == text.size();
}

TEST(Utf8, NothingIsUtf8) {
  EXPECT_TRUE(IsUtf8({}));
  EXPECT_EQ(Utf8PrefixLength({}), 0U);
}

TEST(Utf8, OfTheSingleBytesThoseBelow80AreCharacters) {
  int good = 0;
  for (unsigned a = 0; a < 256; ++a) good += ExpectAllAgree({static_cast<std::uint8_t>(a)}) ? 1 : 0;
  EXPECT_EQ(good, 128);
}

TEST(Utf8, AllPairsOfBytes) {
  int good = 0;
  for (unsigned i = 0; i < 65'536; ++i) {
    good +=
        ExpectAllAgree({static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)}) ? 1 : 0;
  }
  EXPECT_EQ(good, 128 * 128 + 0x800 - 0x80) << "two ASCII characters, or one of U+0080..U+07FF";
}

// The third and fourth byte take both ends of the continuation bytes and their neighbours.
constexpr std::array<std::uint8_t, 4> kTails = {0x7F, 0x80, 0xBF, 0xC0};

TEST(Utf8, AllLeadAndSecondBytesOfThreeByteCharacters) {
  int good = 0;
  for (unsigned i = 0x8000; i < 65'536; ++i) {
    for (const std::uint8_t third : kTails) {
      const Text text = {static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i), third};
      good += ExpectAllAgree(text) ? 1 : 0;
    }
  }
  const int three = 2 * ((0x10000 - 0x800 - 0x800) / 64);  // third byte 80 or BF
  const int two_and_ascii = 0x800 - 0x80;                  // third byte 7F
  EXPECT_EQ(good, three + two_and_ascii);
}

TEST(Utf8, AllLeadAndSecondBytesOfFourByteCharacters) {
  int good = 0;
  for (unsigned i = 0xE000; i < 65'536; ++i) {
    for (const std::uint8_t third : kTails) {
      for (const std::uint8_t fourth : kTails) {
        const Text text = {static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i), third,
                           fourth};
        good += ExpectAllAgree(text) ? 1 : 0;
      }
    }
  }
  const int four = 4 * (0x100000 / 64 / 64);
  const int three_and_ascii = 2 * ((0x10000 - 0x800 - 0x800) / 64);
  EXPECT_EQ(good, four + three_and_ascii);
}

TEST(Utf8, EveryCharacterOfUnicodeAndNoSurrogate) {
  int good = 0;
  for (std::uint32_t point = 0; point < 0x110800; ++point) {
    const Text text = Encode(point);
    const bool exists = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
    ASSERT_EQ(IsUtf8(text), exists) << point;
    ASSERT_EQ(Utf8PrefixLength(text), exists ? text.size() : 0) << point;
    good += exists ? 1 : 0;
  }
  EXPECT_EQ(good, 1'112'064);
}

TEST(Utf8, FormsLongerThanNeededAreRefused) {
  for (const Text& overlong : std::vector<Text>{{0xC0, 0x80},
                                                {0xC1, 0xBF},
                                                {0xE0, 0x80, 0x80},
                                                {0xE0, 0x9F, 0xBF},
                                                {0xF0, 0x80, 0x80, 0x80},
                                                {0xF0, 0x8F, 0xBF, 0xBF},
                                                {0xF8, 0x88, 0x80, 0x80, 0x80}}) {
    EXPECT_FALSE(IsUtf8(overlong)) << ::testing::PrintToString(overlong);
    EXPECT_EQ(Utf8PrefixLength(overlong), 0U);
  }
}

TEST(Utf8, ACutCharacterIsTheFirstBadPlace) {
  for (const std::uint32_t point : {0x80U, 0x7FFU, 0x800U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
    const Text whole = Encode(point);
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
      Text text = {'a', 'b'};
      text.insert(text.end(), whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_EQ(Utf8PrefixLength(text), 2U);
      EXPECT_FALSE(IsUtf8(text));
      text.push_back('c');
      EXPECT_EQ(Utf8PrefixLength(text), 2U);
      EXPECT_FALSE(IsUtf8(text));
    }
  }
}

// Fuzzy makes byte strings of a length in an exact allocation, to detect a read beyond it.
class Fuzzy {
 public:
  Text Noise(std::size_t length) {
    Text text(length);
    for (std::uint8_t& byte : text) byte = static_cast<std::uint8_t>(generator_());
    return text;
  }

  // Valid text, mostly of the characters at the borders of table 3-7.
  Text Valid(std::size_t length) {
    static constexpr std::array<std::uint32_t, 12> kBorders = {
        0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0xFFFFF, 0x10FFFF};
    Text text;
    while (text.size() < length) {
      const Text next = Encode(generator_() % 3 == 0 ? 'a' : kBorders.at(generator_() % 12));
      if (text.size() + next.size() > length) {
        text.push_back('z');
      } else {
        text.insert(text.end(), next.begin(), next.end());
      }
    }
    text.shrink_to_fit();
    return text;
  }

  void Mutate(Text& text) {
    if (text.empty()) return;
    std::uint8_t& byte = text.at(generator_() % text.size());
    byte = static_cast<std::uint8_t>(byte ^ 1U << generator_() % 8);
  }

 private:
  std::mt19937 generator_{4};
};

// Sample is a text, and whether it is UTF-8 according to the scalar kernel.
struct Sample {
  Text text;
  bool sound = false;
};

void AddSample(std::vector<Sample>& samples, Text text) {
  const bool sound = Utf8PrefixLength(text) == text.size();
  samples.push_back({.text = std::move(text), .sound = sound});
}

// Samples are the same for each target: making them takes longer than checking them.
std::vector<Sample> Samples() {
  std::vector<Sample> samples;
  Fuzzy fuzzy;
  for (std::size_t length = 0; length <= 600; ++length) {
    for (int i = 0; i < (length <= 200 ? 250 : 25); ++i) {
      Text text = fuzzy.Valid(length);
      AddSample(samples, text);
      EXPECT_TRUE(samples.back().sound) << ::testing::PrintToString(text);
      fuzzy.Mutate(text);
      AddSample(samples, std::move(text));
      AddSample(samples, fuzzy.Noise(length));
    }
  }
  return samples;
}

// Kernels process four vectors at a time; these have up to 256 bytes.
TEST(Utf8, TheVectorKernelsAgreeWithTheScalarOneAtEveryLength) {
  const std::vector<Sample> samples = Samples();
  const auto good = std::ranges::count(samples, true, &Sample::sound);
  EXPECT_GT(good, 60'000);
  EXPECT_GT(std::ssize(samples) - good, 70'000);
  testing::EachTarget([&] {
    for (const auto& [text, sound] : samples) {
      ASSERT_EQ(IsUtf8(text), sound) << ::testing::PrintToString(text);
    }
  });
}

TEST(Utf8, OneBadByteIsFoundAtEveryPlaceAndAlignment) {
  testing::EachTarget([] {
    for (std::size_t begin = 0; begin < 64; begin += 3) {
      for (std::size_t bad = 0; bad < 600; ++bad) {
        Text buffer(begin + 600, 'a');
        const Bytes text = Bytes(buffer).subspan(begin);
        ASSERT_TRUE(IsUtf8(text));
        buffer.at(begin + bad) = 0xC2;  // a lead byte without its second
        ASSERT_FALSE(IsUtf8(text)) << begin << " " << bad;
        ASSERT_EQ(Utf8PrefixLength(text), bad);
      }
    }
  });
}

// Every kind of character, complete and truncated, across every border of vectors.
TEST(Utf8, CharactersAcrossTheBordersOfVectors) {
  testing::EachTarget([] {
    for (const std::uint32_t point :
         {0x80U, 0x7FFU, 0x800U, 0xD7FFU, 0xE000U, 0xFFFFU, 0x10000U, 0x10FFFFU}) {
      const Text character = Encode(point);
      for (std::size_t at = 0; at + character.size() <= 600; ++at) {
        Text text(600, 'a');
        std::ranges::copy(character, text.begin() + static_cast<std::ptrdiff_t>(at));
        ASSERT_TRUE(IsUtf8(text)) << point << ' ' << at;
        ASSERT_TRUE(IsUtf8(Bytes(text).first(at + character.size()))) << point << ' ' << at;
        ASSERT_FALSE(IsUtf8(Bytes(text).first(at + character.size() - 1))) << point << ' ' << at;
        text.at(at + character.size() - 1) = 'a';
        ASSERT_FALSE(IsUtf8(text)) << point << ' ' << at;
      }
    }
  });
}

// The function for builds without vectors.
TEST(Utf8, PassingOverAsciiInStretchesChangesNothing) {
  Fuzzy fuzzy;
  int good = 0;
  for (std::size_t length = 0; length <= 300; ++length) {
    for (int i = 0; i < 50; ++i) {
      Text text = fuzzy.Valid(length);
      ASSERT_TRUE(IsUtf8ByStretches(text)) << ::testing::PrintToString(text);
      fuzzy.Mutate(text);
      const bool whole = Utf8PrefixLength(text) == length;
      ASSERT_EQ(IsUtf8ByStretches(text), whole) << ::testing::PrintToString(text);
      good += whole ? 1 : 0;
    }
  }
  EXPECT_GT(good, 1'000);
  for (const std::uint32_t point : {0x7FFU, 0xFFFFU, 0x10FFFFU}) {
    const Text character = Encode(point);
    for (std::size_t at = 0; at + character.size() <= 200; ++at) {
      Text text(200, 'a');
      std::ranges::copy(character, text.begin() + static_cast<std::ptrdiff_t>(at));
      ASSERT_TRUE(IsUtf8ByStretches(text)) << point << ' ' << at;
      ASSERT_FALSE(IsUtf8ByStretches(Bytes(text).first(at + character.size() - 1)));
      text.at(at + character.size() - 1) = 'a';
      ASSERT_FALSE(IsUtf8ByStretches(text)) << point << ' ' << at;
    }
  }
}

TEST(Ascii, AByteWithItsHighBitIsFoundAtEveryPlaceOfEveryLengthUpTo40) {
  for (std::size_t length = 0; length <= 40; ++length) {
    std::string text(length, '\x7F');
    EXPECT_TRUE(IsAscii(text)) << length;
    for (char& byte : text) {
      byte = '\x80';
      EXPECT_FALSE(IsAscii(text)) << length << ' ' << &byte - text.data();
      byte = '\0';
    }
  }
}

// Counters in vector lanes hold up to 255, and are emptied before.
TEST(TextFacts, CountTheZerosOfLongTexts) {
  testing::EachTarget([] {
    for (const std::size_t apart : {std::size_t{0}, std::size_t{90}, std::size_t{1000}}) {
      Text text(100'000, 0);
      std::uint64_t zeros = text.size();
      for (std::size_t at = 7; apart > 0 && at + 1 < text.size(); at += apart) {
        text[at] = 0xC3;
        text[at + 1] = 0xA9;
        zeros -= 2;
      }
      const TextFacts facts = FactsOf(text);
      EXPECT_TRUE(facts.is_utf8) << apart;
      EXPECT_EQ(facts.zeros, zeros) << apart;
      EXPECT_FALSE(facts.has_ef) << apart;
    }
  });
}

TEST(TextFacts, FindAMarkAndAFaultAnywhere) {
  testing::EachTarget([] {
    for (std::size_t at = 0; at + 3 <= 700; ++at) {
      Text text(700, 'a');
      std::ranges::copy(Text{0xEF, 0xBB, 0xBF}, std::span(text).subspan(at).begin());
      TextFacts facts = FactsOf(text);
      EXPECT_TRUE(facts.is_utf8 && facts.has_ef && facts.zeros == 0) << at;
      text[at] = 0;
      facts = FactsOf(text);
      EXPECT_TRUE(!facts.is_utf8 && !facts.has_ef && facts.zeros == 1) << at;
    }
  });
}

TEST(TakeCharacter, TakesOneAtATime) {
  std::string_view text = "aé€🦙";
  EXPECT_EQ(TakeCharacter(text), U'a');
  EXPECT_EQ(TakeCharacter(text), U'\u00e9');
  EXPECT_EQ(TakeCharacter(text), U'\u20ac');
  EXPECT_EQ(TakeCharacter(text), U'\U0001F999');
  EXPECT_TRUE(text.empty());
}

TEST(TakeCharacter, OfWhatIsNotUtf8TakesOneByte) {
  for (const std::string_view bad :
       {"\xff!", "\x80!", "\xe2\x82", "\xc3", "\xed\xa0\x80", "\xc0\xaf"}) {
    std::string_view text = bad;
    EXPECT_EQ(TakeCharacter(text), std::nullopt);
    EXPECT_EQ(text.size(), bad.size() - 1);
  }
}

TEST(TakeCharacter, SurrogatesAreTakenOnlyWhereTheyAreWanted) {
  std::string_view text = "\xed\xa0\x80\xed\xbf\xbf";
  EXPECT_EQ(TakeCharacter(text, Surrogates::kTaken), char32_t{0xD800});
  EXPECT_EQ(TakeCharacter(text, Surrogates::kTaken), char32_t{0xDFFF});
  text = "\xed\xa0\xc0";
  EXPECT_EQ(TakeCharacter(text, Surrogates::kTaken), std::nullopt);
  EXPECT_EQ(text.size(), 2U);
}

TEST(AppendUtf8, IsTakenApartAgain) {
  for (char32_t code = 0; code < 0x11'0000; ++code) {
    std::string text;
    AppendUtf8(code, text);
    std::string_view rest = text;
    ASSERT_EQ(TakeCharacter(rest, Surrogates::kTaken), code);
    ASSERT_TRUE(rest.empty());
    ASSERT_EQ(IsUtf8(AsBytes(text)), code < 0xD800 || code > 0xDFFF);
  }
}

}  // namespace
}  // namespace ggufgate

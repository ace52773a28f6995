#include "mutate/memory/string_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <string>
#include <vector>

namespace ggufgate::mutate {
namespace {

TEST(HashOf, IsTheSameOnEveryMachine) {
  // Computed independently of the code, with integers of arbitrary precision.
  EXPECT_EQ(HashOf(""), 0U);
  EXPECT_EQ(HashOf("a"), 0xA9C1'3143'D93C'31E0U);
  EXPECT_EQ(HashOf("abcde"), 0x26E0'7722'E9A5'3D26U);
  EXPECT_EQ(HashOf(std::string(8, '\xFF')), 0x6BEB'0D54'D283'2CAFU);
  EXPECT_EQ(HashOf("general.architecture"), 0xA7B7'6D14'3E13'C24AU);
  EXPECT_EQ(HashOf("blk.0.attn_q.weight"), 0x6B8C'977F'19F2'0FC9U);
}

TEST(HashOf, LooksAtEveryByteAndAtTheLength) {
  std::set<std::uint64_t> hashes;
  for (std::size_t size = 0; size <= 40; ++size) {
    std::string text(size, '\0');
    EXPECT_TRUE(hashes.insert(HashOf(text)).second) << size << " zeros";
    for (char& byte : text) {
      byte = 1;
      EXPECT_TRUE(hashes.insert(HashOf(text)).second) << size;
      byte = 0;
    }
  }
}

// MostAtOneSlot returns the largest number of texts whose search begins at one slot of a table of
// 2^bits.
std::size_t MostAtOneSlot(const std::vector<std::string>& texts, int bits) {
  std::multiset<std::uint64_t> slots;
  for (const std::string& text : texts) slots.insert(HashOf(text) >> (64 - bits));
  std::size_t most = 0;
  for (const std::uint64_t slot : slots) most = std::max(most, slots.count(slot));
  return most;
}

TEST(HashOf, SpreadsNamesByItsHighestBits) {
  // For differences at any position: with the lowest bits, all of the first kind would share a
  // slot.
  std::vector<std::string> at_the_end;
  std::vector<std::string> in_the_middle;
  for (int i = 10; i < 74; ++i) {
    at_the_end.push_back("tokenizer.ggml.key_" + std::to_string(i));
    in_the_middle.push_back("blk." + std::to_string(i) + ".ffn_norm.weight");
  }
  EXPECT_LE(MostAtOneSlot(at_the_end, 7), 4U);
  EXPECT_LE(MostAtOneSlot(in_the_middle, 7), 4U);
}

TEST(StringSet, KnowsATextAgain) {
  StringSet seen(4);
  seen.Begin(4);
  for (const char* text : {"a", "b", "", "a.b"}) {
    EXPECT_TRUE(seen.Add(text)) << text;
    EXPECT_FALSE(seen.Add(std::string(text))) << "as another string: " << text;
  }
  EXPECT_FALSE(seen.Add("a"));
  EXPECT_FALSE(seen.Add(std::string_view())) << "nothing is the empty text";
}

TEST(StringSet, TakesNothingForTheEmptyTextToo) {
  StringSet seen(2);
  seen.Begin(2);
  EXPECT_TRUE(seen.Add(std::string_view()));
  EXPECT_FALSE(seen.Add(""));
  EXPECT_TRUE(seen.Add("a"));
}

TEST(StringSet, ForgetsAtEachBeginning) {
  StringSet seen(8);
  for (const std::size_t most : {8U, 1U, 8U, 3U}) {
    seen.Begin(most);
    EXPECT_TRUE(seen.Add("a")) << most;
    EXPECT_FALSE(seen.Add("a")) << most;
  }
}

TEST(StringSet, TakesAsManyAsItWasToldOf) {
  for (const std::size_t made_for : {0U, 1U, 2U, 3U, 31U, 32U, 33U, 4096U}) {
    StringSet seen(made_for);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < made_for; ++i) texts.push_back(std::to_string(i));
    for (const std::size_t most : {made_for, made_for / 2}) {
      seen.Begin(most);
      for (std::size_t i = 0; i < most; ++i) EXPECT_TRUE(seen.Add(texts.at(i))) << i;
      for (std::size_t i = 0; i < most; ++i) EXPECT_FALSE(seen.Add(texts.at(i))) << i;
    }
  }
}

TEST(StringSet, AnswersForOneMoreThanItWasMadeFor) {
  // Begin may get a larger number than fits: the table then has its maximum size.
  StringSet seen(3);
  seen.Begin(1'000'000);
  for (const char* text : {"a", "b", "c", "d"}) EXPECT_TRUE(seen.Add(text)) << text;
  for (const char* text : {"a", "b", "c", "d"}) EXPECT_FALSE(seen.Add(text)) << text;
}

// InOneSlot returns texts whose searches all begin at one slot of a table of `slots`.
std::vector<std::string> InOneSlot(std::size_t slots, std::uint64_t slot, std::size_t count) {
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; texts.size() < count; ++i) {
    const std::string text = "key." + std::to_string(i);
    if (HashOf(text) >> (64 - std::countr_zero(slots)) == slot) texts.push_back(text);
  }
  return texts;
}

TEST(StringSet, FindsTextsThatShareASlot) {
  constexpr std::size_t kMost = 7;  // 16 slots
  // From the last slot, the search continues at the first.
  for (const std::uint64_t slot : {0U, 8U, 15U}) {
    const std::vector<std::string> texts = InOneSlot(16, slot, kMost);
    StringSet seen(kMost);
    seen.Begin(kMost);
    for (const std::string& text : texts) EXPECT_TRUE(seen.Add(text)) << slot << ' ' << text;
    for (const std::string& text : texts) EXPECT_FALSE(seen.Add(text)) << slot << ' ' << text;
  }
}

// Colliding returns two texts of 16 bytes with the same hash: the second word of each cancels the
// effect of the first on the state.
std::array<std::string, 2> Colliding() {
  constexpr std::uint64_t kFactor = 0x9FB2'1C65'1E98'DF25;
  const auto after_one_word = [](std::uint64_t word) {
    const std::uint64_t hash = ((16 * kFactor) ^ word) * kFactor;
    return hash ^ hash >> 29;
  };
  std::array<std::string, 2> texts;
  for (std::uint64_t i = 0; i < 2; ++i) {
    std::array<std::uint8_t, 16> bytes{};
    Store(i, ByteOrder::kLittle, bytes);
    Store(after_one_word(i), ByteOrder::kLittle, MutableBytes(bytes).subspan(8));
    texts.at(i) = AsText(bytes);
  }
  return texts;
}

TEST(StringSet, TellsTextsOfOneHashApart) {
  const std::array<std::string, 2> texts = Colliding();
  ASSERT_NE(texts[0], texts[1]);
  ASSERT_EQ(HashOf(texts[0]), HashOf(texts[1]));
  StringSet seen(2);
  seen.Begin(2);
  EXPECT_TRUE(seen.Add(texts[0]));
  EXPECT_TRUE(seen.Add(texts[1])) << "compared by what they are, not by hash";
  EXPECT_FALSE(seen.Add(texts[0]));
  EXPECT_FALSE(seen.Add(texts[1]));
}

}  // namespace
}  // namespace ggufgate::mutate

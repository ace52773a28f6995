#include "check/repeats/repeat_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "parse/model.h"
#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

std::vector<std::uint8_t> RecordOf(const std::string& text) {
  return Encoder(ByteOrder::kLittle).PutString(text).Take();
}

std::uint64_t HashOf(const std::string& text) { return HashOfRecord(RecordOf(text)); }

// A string of each length, and variants with each byte changed: all hashes differ.
TEST(HashOfRecord, DependsOnEveryByteAndOnTheLength) {
  std::set<std::uint64_t> hashes;
  std::size_t texts = 0;
  for (std::size_t length = 0; length < 70; ++length) {
    const std::string text(length, 'a');
    hashes.insert(HashOf(text));
    ++texts;
    for (std::size_t i = 0; i < length; ++i, ++texts) {
      std::string other = text;
      other[i] = 'b';
      hashes.insert(HashOf(other));
    }
  }
  EXPECT_THAT(hashes, SizeIs(texts));
}

TEST(HashOfRecord, LooksAtTheRecordOnly) {
  for (const std::size_t length : {0U, 3U, 8U, 15U, 16U, 17U, 40U}) {
    std::vector<std::uint8_t> bytes = RecordOf(std::string(length, 'a'));
    const std::size_t size = bytes.size();
    const std::uint64_t hash = HashOfRecord(bytes);
    bytes.resize(size + 16, 0xFF);
    EXPECT_EQ(HashOfRecord(Bytes(bytes).first(size)), hash) << length;
  }
}

std::vector<std::uint64_t> RandomHashes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> hashes(count);
  for (std::uint64_t& hash : hashes) hash = random();
  return hashes;
}

RepeatFilter FilterOf(const std::vector<std::uint64_t>& hashes) {
  RepeatFilter filter(hashes.size());
  filter.Add(hashes);
  return filter;
}

TEST(RepeatFilter, NamesWhatComesAgainAndWhatItIsTheSameAs) {
  std::vector<std::uint64_t> hashes = RandomHashes(1'000, 1);
  hashes.push_back(hashes[50]);
  hashes.push_back(hashes[7]);
  hashes.push_back(hashes[50]);
  const RepeatFilter filter = FilterOf(hashes);
  EXPECT_FALSE(filter.gave_up());
  EXPECT_THAT(filter.MayBeSame(), ElementsAre(7, 50, 1'000, 1'001, 1'002));
}

TEST(RepeatFilter, NamesNearlyNoOthers) {
  for (const std::size_t records : {10'000U, 131'072U, 200'000U}) {
    const RepeatFilter filter = FilterOf(RandomHashes(records, 2));
    EXPECT_FALSE(filter.gave_up());
    EXPECT_LE(filter.MayBeSame().size(), 4U) << records;
  }
}

// The division of hashes into calls has no effect.
TEST(RepeatFilter, TakesHashesInPortions) {
  std::vector<std::uint64_t> hashes = RandomHashes(3'000, 3);
  for (std::size_t i = 0; i < 100; ++i) hashes[i * 30 + 29] = hashes[i * 7];
  const std::vector<std::uint64_t> expected = FilterOf(hashes).MayBeSame();
  RepeatFilter filter(hashes.size());
  std::mt19937_64 random(3);
  for (std::span<const std::uint64_t> rest = hashes; !rest.empty();) {
    const std::size_t some = std::min<std::size_t>(rest.size(), random() % 70);
    filter.Add(rest.first(some));
    rest = rest.subspan(some);
  }
  EXPECT_EQ(filter.MayBeSame(), expected);
  EXPECT_THAT(expected, SizeIs(::testing::Ge(150U)));
}

TEST(RepeatFilter, HoldsNothingAndOne) {
  EXPECT_THAT(RepeatFilter(0).MayBeSame(), IsEmpty());
  EXPECT_THAT(FilterOf({UINT64_MAX}).MayBeSame(), IsEmpty());
  EXPECT_THAT(FilterOf({UINT64_MAX, UINT64_MAX}).MayBeSame(), ElementsAre(0, 1));
}

// Hashes that select the same word and bits: all except the first are suspect, which is too many.
TEST(RepeatFilter, GivesUpOnCollisions) {
  std::vector<std::uint64_t> hashes(100'000);
  for (std::size_t i = 0; i < hashes.size(); ++i) hashes[i] = i << 14 & 0xFFFF'FFFF'FFFF;
  EXPECT_TRUE(FilterOf(hashes).gave_up());
  // Within the limit, their halves clear them.
  std::ranges::copy(RandomHashes(99'900, 4), hashes.begin() + 100);
  const RepeatFilter filter = FilterOf(hashes);
  EXPECT_FALSE(filter.gave_up());
  EXPECT_LE(filter.MayBeSame().size(), 4U);
}

// Equal halves: only those of suspects matter.
TEST(RepeatFilter, NamesThoseThatShareHalfOfASuspect) {
  constexpr std::uint64_t kHalf = std::uint64_t{12345} << 14;
  constexpr std::uint64_t kOther = std::uint64_t{1} << 63 | kHalf;  // in another word
  EXPECT_THAT(FilterOf({kHalf, kOther, 1, 2}).MayBeSame(), IsEmpty());
  EXPECT_THAT(FilterOf({kHalf, kOther, kOther, 1, 2}).MayBeSame(), ElementsAre(0, 1, 2));
}

// Adds the hashes of texts in file order, as for a vocabulary.
RepeatFilter FilterOfTexts(const std::vector<std::string>& texts) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(texts.size());
  for (const std::string& text : texts) hashes.push_back(HashOf(text));
  return FilterOf(hashes);
}

using Pair = std::pair<std::uint64_t, std::uint64_t>;

std::vector<Pair> RepeatsIn(const std::vector<std::string>& texts, const RepeatFilter& filter) {
  Encoder encoder(ByteOrder::kLittle);
  for (const std::string& text : texts) encoder.PutString(text);
  std::vector<Pair> pairs;
  for (const Repeat repeat :
       FindRepeatedStrings(encoder.Take(), ByteOrder::kLittle, texts.size(), filter)) {
    pairs.emplace_back(repeat.index, repeat.first);
  }
  return pairs;
}

std::vector<Pair> NaiveRepeatsIn(const std::vector<std::string>& texts) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto first = std::ranges::find(texts, texts[i]);
    const auto at = static_cast<std::size_t>(first - texts.begin());
    if (!texts[i].empty() && at < i) pairs.emplace_back(i, at);
  }
  return pairs;
}

// The answer is exact, regardless of the filter.
TEST(FindRepeatedStrings, IsExactAfterTheFilterGaveUp) {
  const RepeatFilter tired = FilterOf(std::vector<std::uint64_t>(1'000, 1));
  ASSERT_TRUE(tired.gave_up());
  EXPECT_THAT(RepeatsIn({"a", "b", "", "a", "", "ab", "b", "a"}, tired),
              ElementsAre(Pair{3, 0}, Pair{6, 1}, Pair{7, 0}));
}

TEST(FindRepeatedStrings, ClearsDifferentStringsWithTheSameHash) {
  const std::vector<std::uint64_t> same(3, HashOf("a"));
  EXPECT_THAT(RepeatsIn({"a", "b", "c"}, FilterOf(same)), IsEmpty());
  EXPECT_THAT(RepeatsIn({"a", "b", "b"}, FilterOf(same)), ElementsAre(Pair{2, 1}));
  EXPECT_THAT(RepeatsIn({"", "", ""}, FilterOf(same)), IsEmpty());
}

TEST(FindRepeatedStrings, AgreesWithTheNaiveSearch) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::string> texts(random() % 600);
    const std::uint64_t longest = 1 + random() % 40;
    const std::uint64_t letters = 1 + random() % 26;
    for (std::string& text : texts) {
      text.resize(random() % longest);
      for (char& c : text) c = static_cast<char>('a' + random() % letters);
    }
    EXPECT_EQ(RepeatsIn(texts, FilterOfTexts(texts)), NaiveRepeatsIn(texts)) << round;
  }
}

}  // namespace
}  // namespace ggufgate::testing

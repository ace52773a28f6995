#include "check/repeat_sieve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "parse/model.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::uint8_t> RecordOf(const std::string& text) {
  return Encoder(ByteOrder::kLittle).PutString(text).Take();
}

std::uint64_t HashOf(const std::string& text) { return HashOfRecord(RecordOf(text)); }

// A string of each length, and each of its bytes changed: no two hashes are the same.
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

TEST(RepeatSieve, WhatComesAgainIsSuspect) {
  std::mt19937_64 random(1);
  RepeatSieve sieve(1'000);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 1'000; ++i) {
    hashes.push_back(random());
    sieve.Add(hashes.back());
  }
  const std::size_t before = sieve.suspects().size();
  EXPECT_LE(before, 3U);
  for (int i = 0; i < 20; ++i) sieve.Add(hashes.at(static_cast<std::size_t>(i) * 50));
  EXPECT_EQ(sieve.suspects().size(), before + 20);
  EXPECT_FALSE(sieve.gave_up());
}

TEST(RepeatSieve, FewOthersAreSuspect) {
  std::mt19937_64 random(2);
  for (const std::uint64_t records : {10'000U, 131'072U, 200'000U}) {
    RepeatSieve sieve(records);
    for (std::uint64_t i = 0; i < records; ++i) sieve.Add(random());
    EXPECT_LE(sieve.suspects().size(), records / 1'000) << records;
  }
}

TEST(RepeatSieve, HoldsNothingAndOne) {
  RepeatSieve none(0);
  EXPECT_THAT(none.suspects(), IsEmpty());
  RepeatSieve one(1);
  one.Add(UINT64_MAX);
  EXPECT_THAT(one.suspects(), IsEmpty());
  one.Add(UINT64_MAX);
  EXPECT_THAT(one.suspects(), ElementsAre(UINT64_MAX));
}

// Hashes made to collide: all the same to the sieve. It does the same work for each as for any
// other, keeps one suspect in 16 records at most, and says that it cannot tell.
TEST(RepeatSieve, GivesUpOnCollisions) {
  constexpr std::uint64_t kRecords = 100'000;
  RepeatSieve sieve(kRecords);
  for (std::uint64_t i = 0; i < kRecords; ++i) sieve.Add(i << 24 & 0xFFFF'FFFF'FFFF);
  EXPECT_TRUE(sieve.gave_up());
  EXPECT_LE(sieve.suspects().size(),
            kRecords / RepeatSieve::kGenerosity + RepeatSieve::kGenerosity);
}

std::vector<Repeat> RepeatsIn(const std::vector<std::string>& texts, const RepeatSieve& sieve) {
  Encoder encoder(ByteOrder::kLittle);
  for (const std::string& text : texts) encoder.PutString(text);
  return FindRepeatedStrings(encoder.Take(), ByteOrder::kLittle, texts.size(), sieve);
}

// The answer is exact, whatever the sieve has made of the hashes.
TEST(FindRepeatedStrings, IsExactAfterTheSieveGaveUp) {
  RepeatSieve tired(0);
  for (int i = 0; i < 100; ++i) tired.Add(1);
  ASSERT_TRUE(tired.gave_up());
  const std::vector<Repeat> repeats = RepeatsIn({"a", "b", "", "a", "", "ab", "b", "a"}, tired);
  ASSERT_THAT(repeats, SizeIs(3));
  EXPECT_EQ(repeats[0].index, 3U);
  EXPECT_EQ(repeats[0].first, 0U);
  EXPECT_EQ(repeats[1].index, 6U);
  EXPECT_EQ(repeats[1].first, 1U);
  EXPECT_EQ(repeats[2].index, 7U);
  EXPECT_EQ(repeats[2].first, 0U);
}

TEST(FindRepeatedStrings, ClearsTheSuspectThatIsNone) {
  RepeatSieve sieve(4);
  for (const char* text : {"a", "b", "b"}) sieve.Add(HashOf(text));
  EXPECT_THAT(RepeatsIn({"a", "b", "c"}, sieve), IsEmpty());
  EXPECT_THAT(RepeatsIn({"a", "b", "b"}, sieve), SizeIs(1));
  EXPECT_THAT(RepeatsIn({"a", "a"}, RepeatSieve(2)), IsEmpty());  // nothing was suspected
}

}  // namespace
}  // namespace ggufgate::testing

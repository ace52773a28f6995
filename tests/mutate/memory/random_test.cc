#include "mutate/memory/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ggufgate::mutate {
namespace {

using Numbers = std::vector<std::uint64_t>;

Numbers FirstFive(std::uint64_t seed) {
  Random random(seed);
  Numbers numbers;
  for (int i = 0; i < 5; ++i) numbers.push_back(random.Next());
  return numbers;
}

// The output of splitmix64.c (Vigna, prng.di.unimi.it) for these states.
TEST(Random, IsSplitMix64) {
  EXPECT_EQ(FirstFive(0),
            (Numbers{0xE220'A839'7B1D'CDAF, 0x6E78'9E6A'A1B9'65F4, 0x06C4'5D18'8009'454F,
                     0xF88B'B8A8'724C'81EC, 0x1B39'896A'51A8'749B}));
  EXPECT_EQ(FirstFive(1234567),
            (Numbers{6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                     4593380528125082431U, 16408922859458223821U}));
}

TEST(Random, HasNoSeedThatIsStuck) {
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    Numbers numbers = FirstFive(seed);
    std::ranges::sort(numbers);
    EXPECT_TRUE(std::ranges::adjacent_find(numbers) == numbers.end()) << seed;
  }
}

TEST(Random, BelowIsTheUpperPartOfAProduct) {
  // floor(n · bound / 2^64) of the first number n = 0xE220A8397B1DCDAF.
  struct Case {
    std::uint64_t bound;
    std::uint64_t number;
  };
  constexpr std::array kCases = {
      Case{.bound = 0, .number = 0},
      Case{.bound = 1, .number = 0},
      Case{.bound = 2, .number = 1},
      Case{.bound = 16, .number = 0xE},
      Case{.bound = 256, .number = 0xE2},
      Case{.bound = 100, .number = 88},
      Case{.bound = std::uint64_t{1} << 63, .number = 0x7110'541C'BD8E'E6D7},
      Case{.bound = UINT64_MAX, .number = 0xE220'A839'7B1D'CDAE}};
  for (const Case& one : kCases) {
    EXPECT_EQ(Random(0).Below(one.bound), one.number) << one.bound;
  }
}

TEST(Random, BelowDrawsOneNumberWhateverTheBound) {
  for (const std::uint64_t bound : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX}) {
    Random random(0);
    static_cast<void>(random.Below(bound));
    EXPECT_EQ(random.Next(), 0x6E78'9E6A'A1B9'65F4U) << bound;
  }
}

TEST(Random, BelowGivesEveryNumberAboutAsOften) {
  for (const std::uint64_t bound : {1U, 2U, 3U, 7U, 10U}) {
    Random random(bound);
    Numbers counts(bound);
    constexpr std::uint64_t kEach = 2000;
    for (std::uint64_t i = 0; i < kEach * bound; ++i) ++counts.at(random.Below(bound));
    // 2000 ± 5 standard deviations; these are always the same numbers.
    EXPECT_THAT(counts, ::testing::Each(::testing::AllOf(::testing::Gt(1770), ::testing::Lt(2230))))
        << bound;
  }
}

TEST(Random, BetweenHasBothEnds) {
  struct Case {
    std::uint64_t least;
    std::uint64_t most;
  };
  constexpr std::array kCases = {Case{.least = 0, .most = 3}, Case{.least = 5, .most = 8},
                                 Case{.least = UINT64_MAX - 3, .most = UINT64_MAX}};
  for (const Case& one : kCases) {
    Random random(9);
    std::array<int, 4> seen{};
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t number = random.Between(one.least, one.most);
      ASSERT_GE(number, one.least);
      ASSERT_LE(number, one.most);
      ++seen.at(number - one.least);
    }
    EXPECT_THAT(seen, ::testing::Each(::testing::Gt(20))) << one.least;
  }
  for (const std::uint64_t only : {std::uint64_t{0}, std::uint64_t{77}, UINT64_MAX}) {
    EXPECT_EQ(Random(1).Between(only, only), only);
  }
}

TEST(Random, BetweenMayBeAnyNumber) {
  Random random(0);
  EXPECT_EQ(random.Between(0, UINT64_MAX), 0xE220'A839'7B1D'CDAFU) << "as drawn";
  EXPECT_EQ(random.Between(0, UINT64_MAX), 0x6E78'9E6A'A1B9'65F4U);
}

TEST(Random, OneInIsRareAsItSays) {
  Random random(4);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) hits += random.OneIn(100) ? 1 : 0;
  EXPECT_GT(hits, 50);
  EXPECT_LT(hits, 150);
  EXPECT_TRUE(random.OneIn(1));
}

TEST(Random, PicksEachOfSomeThings) {
  constexpr std::array<char, 3> kLetters = {'a', 'b', 'c'};
  Random random(5);
  std::array<int, 3> counts{};
  for (int i = 0; i < 300; ++i) {
    const char& letter = random.Pick(kLetters);
    ++counts.at(static_cast<std::size_t>(&letter - kLetters.data()));  // a reference, not a copy
  }
  EXPECT_THAT(counts, ::testing::Each(::testing::Gt(60)));
  EXPECT_EQ(random.Pick(std::span(kLetters).last(1)), 'c');
}

}  // namespace
}  // namespace ggufgate::mutate

#include "mutate/naming.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/memory/random.h"

namespace ggufgate::mutate {
namespace {

TEST(Words, NameModesBothWays) {
  struct Case {
    Mode mode;
    std::string_view word;
  };
  for (const Case& one : std::vector<Case>{{Mode::kConsistent, "consistent"},
                                           {Mode::kOneLie, "one-lie"},
                                           {Mode::kSemi, "semi"},
                                           {Mode::kRaw, "raw"},
                                           {Mode::kGenerate, "generate"},
                                           {Mode::kMixed, "havoc"},
                                           {Mode::kReduce, "reduce"}}) {
    EXPECT_EQ(WordFor(one.mode), one.word);
    EXPECT_EQ(FindMode(one.word), one.mode) << one.word;
  }
  EXPECT_EQ(FindMode("mixed"), Mode::kMixed);
  for (const std::string_view word : {"", "Semi", "one_lie", "one-lie ", "reduc", "lie"}) {
    EXPECT_EQ(FindMode(word), std::nullopt) << word;
  }
}

TEST(Words, NameTheDataNeededBothWays) {
  EXPECT_EQ(WordFor(DataNeeded::kNone), "none");
  EXPECT_EQ(WordFor(DataNeeded::kScales), "scales");
  EXPECT_EQ(WordFor(DataNeeded::kFull), "full");
  for (const DataNeeded data : {DataNeeded::kNone, DataNeeded::kScales, DataNeeded::kFull}) {
    EXPECT_EQ(FindDataNeeded(WordFor(data)), data);
  }
  for (const std::string_view word : {"", "scale", "all", "FULL"}) {
    EXPECT_EQ(FindDataNeeded(word), std::nullopt) << word;
  }
}

TEST(Words, NameExpectationsAndKinds) {
  EXPECT_EQ(WordFor(Expectation::kAccept), "accept");
  EXPECT_EQ(WordFor(Expectation::kReject), "reject");
  EXPECT_EQ(WordFor(Expectation::kAny), "any");
  EXPECT_EQ(WordFor(MutationKind::kEdit), "edit");
  EXPECT_EQ(WordFor(MutationKind::kBenign), "benign");
  EXPECT_EQ(WordFor(MutationKind::kLie), "lie");
}

TEST(TakeRule, TakesOneAfterTheOther) {
  struct Case {
    std::string_view rules;
    std::vector<std::string> slugs;
  };
  for (const Case& one : std::vector<Case>{{"", {}},
                                           {"magic", {"magic"}},
                                           {"magic|version", {"magic", "version"}},
                                           {"a|b|c", {"a", "b", "c"}},
                                           {"a|", {"a"}}}) {
    std::vector<std::string> slugs;
    std::string_view rest = one.rules;
    while (!rest.empty()) slugs.emplace_back(TakeRule(rest));
    EXPECT_EQ(slugs, one.slugs) << one.rules;
    EXPECT_EQ(TakeRule(rest), "") << "none is left";
  }
}

std::string Described(const Mutant& mutant, std::size_t room) {
  std::string out(room + 1, '#');
  const std::size_t size =
      Describe(mutant, MutableBytes(reinterpret_cast<std::uint8_t*>(out.data()), room));
  EXPECT_LE(size, room);
  EXPECT_EQ(out.find_first_not_of('#', size), out.npos) << "written behind what it says";
  return out.substr(0, size);
}

constexpr Mutation Named(std::string_view slug) {
  return {.slug = slug,
          .family = MutationFamily::kHeader,
          .kind = MutationKind::kEdit,
          .data = DataNeeded::kNone,
          .rules = "",
          .what = "",
          .apply = nullptr};
}

TEST(Describe, ListsModeAndMutations) {
  constexpr Mutation kFirst = Named("metadata-add");
  constexpr Mutation kSecond = Named("header-magic");
  const std::array<const Mutation*, 2> both = {&kFirst, &kSecond};
  const std::span<const Mutation* const> all = both;
  EXPECT_EQ(Described({.mode = Mode::kRaw}, 100), "raw");
  EXPECT_EQ(Described({.mode = Mode::kConsistent, .mutations = all.first(1)}, 100),
            "consistent:metadata-add");
  EXPECT_EQ(Described({.mode = Mode::kOneLie, .mutations = all}, 100),
            "one-lie:metadata-add+header-magic");
}

TEST(Describe, LeavesOutWhatDoesNotFit) {
  constexpr Mutation kLong = Named("metadata-add");
  constexpr Mutation kShort = Named("a-b");
  const std::array<const Mutation*, 3> all = {&kShort, &kLong, &kShort};
  const Mutant mutant = {.mode = Mode::kSemi, .mutations = all};
  const std::string whole = "semi:a-b+metadata-add+a-b";
  for (std::size_t room = 0; room <= whole.size(); ++room) {
    const std::string expected = room < 4    ? ""
                                 : room < 8  ? "semi"
                                 : room < 21 ? "semi:a-b"  // without the last part, which would fit
                                 : room < 25 ? "semi:a-b+metadata-add"
                                             : whole;
    EXPECT_EQ(Described(mutant, room), expected) << room;
  }
}

TEST(SeedOf, TheFirstMutantHasTheSeedOfTheRun) {
  for (const std::uint64_t run : {std::uint64_t{0}, std::uint64_t{42}, UINT64_MAX}) {
    EXPECT_EQ(SeedOf(run, 0), run);
  }
}

TEST(SeedOf, OthersHaveTheNumbersOfTheGenerator) {
  for (const std::uint64_t run : {std::uint64_t{0}, std::uint64_t{42}, UINT64_MAX}) {
    Random random(run);
    static_cast<void>(random.Next());  // number 0 has that of the run
    for (std::uint64_t i = 1; i < 100; ++i) {
      EXPECT_EQ(SeedOf(run, i), random.Next() >> 11) << run << ' ' << i;
    }
  }
  EXPECT_EQ(SeedOf(0, 1), 0x6E78'9E6A'A1B9'65F4U >> 11) << "splitmix64.c, as in random_test";
}

TEST(SeedOf, NumbersFitJson) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t i = 1; i <= 10000; ++i) {
    const std::uint64_t seed = SeedOf(7, i);
    EXPECT_LT(seed, std::uint64_t{1} << 53) << i;
    EXPECT_TRUE(seeds.insert(seed).second) << i;
  }
  EXPECT_LT(SeedOf(7, UINT64_MAX), std::uint64_t{1} << 53);
}

}  // namespace
}  // namespace ggufgate::mutate

#include "check/repeats/repeats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using ::testing::Pair;

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Pairs RepeatsOf(const std::vector<std::string>& texts) {
  Pairs pairs;
  for (const Repeat repeat :
       FindRepeats(texts, [](const std::string& text) { return std::string_view(text); })) {
    pairs.emplace_back(repeat.index, repeat.first);
  }
  return pairs;
}

// Each column is a choice between two texts. Any key that begins with "key." and continues with one
// text of each column has the same FNV-1a hash.
const std::vector<std::string>& Colliding() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> all = {"key."};
    const std::vector<std::pair<std::string, std::string>> columns = {
        {"xr0c0_36eut9_f", "z7w3euy4yp1_yc"},
        {"nic6g_e_7lc5_g", "l88f0q_k3abcqj"},
        {"b5rm0oec14d2hz", "dr39ca__51_fhy"}};
    for (const auto& [one, other] : columns) {
      std::vector<std::string> longer;
      for (const std::string& key : all) longer.insert(longer.end(), {key + one, key + other});
      all = longer;
    }
    return all;
  }();
  return keys;
}

TEST(FindRepeats, NothingInNothing) {
  EXPECT_THAT(RepeatsOf({}), IsEmpty());
  EXPECT_THAT(RepeatsOf({"a"}), IsEmpty());
  EXPECT_THAT(RepeatsOf({"a", "b", "", "ab"}), IsEmpty());
}

TEST(FindRepeats, EachNamesTheFirstOfItsKind) {
  EXPECT_THAT(RepeatsOf({"b", "a", "b", "", "a", "b", ""}),
              ElementsAre(Pair(2, 0), Pair(4, 1), Pair(5, 0), Pair(6, 3)));
}

TEST(FindRepeats, ComparesBytesAndLengths) {
  using namespace std::string_literals;
  EXPECT_THAT(RepeatsOf({"k"s, "k\0"s, "k\0a"s, "k\0b"s, "K"s, "\xFF"s}), IsEmpty());
  EXPECT_THAT(RepeatsOf({"k\0a"s, "k\0a"s}), ElementsAre(Pair(1, 0)));
}

TEST(FindRepeats, CollidingHashesAreNotRepeats) {
  const std::vector<std::string>& keys = Colliding();
  ASSERT_EQ(keys.size(), 8U);
  for (const std::string& key : keys) {
    ASSERT_EQ(internal::HashOf(key), internal::HashOf(keys.front()));
  }
  EXPECT_THAT(RepeatsOf(keys), IsEmpty());

  std::vector<std::string> twice = keys;
  twice.insert(twice.end(), keys.rbegin(), keys.rend());
  EXPECT_THAT(RepeatsOf(twice), ElementsAre(Pair(8, 7), Pair(9, 6), Pair(10, 5), Pair(11, 4),
                                            Pair(12, 3), Pair(13, 2), Pair(14, 1), Pair(15, 0)));
}

TEST(FindRepeats, CollidingKeysOfAFile) {
  Model model;
  for (const std::string& key : Colliding()) model.Set(key, std::uint8_t{1});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.metadata.push_back(model.metadata.at(5));
  EXPECT_THAT(RulesFired(model), ElementsAre("key-duplicate"));
  EXPECT_EQ(Judge(model).Only(RuleId::kKeyDuplicate).other, Number(5));
}

TEST(FindRepeats, AgreesWithTheObviousWay) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::string> texts(random() % 60);
    for (std::string& text : texts) {
      text = std::string(random() % 3, 'p') + static_cast<char>('a' + random() % 4);
    }
    std::map<std::string, std::uint64_t> first;
    Pairs expected;
    for (std::uint64_t i = 0; i < texts.size(); ++i) {
      const auto [at, is_new] = first.emplace(texts[i], i);
      if (!is_new) expected.emplace_back(i, at->second);
    }
    EXPECT_EQ(RepeatsOf(texts), expected);
  }
}

// 120,000 records without repeats, then with a repeat of each: the numbers of the file that takes
// the reference loader 12 seconds.
TEST(FindRepeats, ManyKeys) {
  constexpr std::size_t kMany = 120'000;
  Policy policy;
  policy.limits.metadata_keys = kMany;
  Model model;
  for (std::size_t i = 0; i < kMany; ++i) {
    model.metadata.push_back({.key = "k" + std::to_string(i), .payload = {1}});
  }
  EXPECT_THAT(RulesFired(model, policy), IsEmpty());

  for (std::size_t i = 1; i < kMany; i += 2) model.metadata[i].key = model.metadata[i - 1].key;
  const Judged judged = Judge(model, policy);
  EXPECT_THAT(judged.Rules(), ElementsAre("key-duplicate"));
  EXPECT_EQ(TotalOf(judged, RuleId::kKeyDuplicate), kMany / 2);
  const std::vector<Finding> findings = FindingsOf(judged, RuleId::kKeyDuplicate);
  ASSERT_EQ(findings.size(), policy.findings_per_rule);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    EXPECT_EQ(findings[i].observed, Number(2 * i + 1));
    EXPECT_EQ(findings[i].other, Number(2 * i));
  }
}

}  // namespace
}  // namespace ggufgate::testing

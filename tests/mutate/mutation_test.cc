// The catalogue of mutations, as scripts, manifests and docs/mutator.md read it.

#include "mutate/mutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/policy.h"
#include "check/rule.h"
#include "mutate/naming.h"

namespace ggufgate::mutate {
namespace {

std::string_view PrefixOf(MutationFamily family) {
  switch (family) {
    case MutationFamily::kHeader:
      return "header-";
    case MutationFamily::kMetadata:
      return "metadata-";
    case MutationFamily::kTensorDirectory:
      return "tensor-";
    case MutationFamily::kLayout:
      return "layout-";
    case MutationFamily::kTensorData:
      return "data-";
    case MutationFamily::kCrossField:
      return "cross-";
    case MutationFamily::kText:
      return "text-";
    case MutationFamily::kComplexity:
      return "complexity-";
    case MutationFamily::kStructure:
      return "structure-";
    case MutationFamily::kModel:
      return "model-";
    case MutationFamily::kExample:
      return "example-";
  }
  return "no such family";
}

std::vector<std::string> RulesOf(const Mutation& mutation) {
  std::vector<std::string> rules;
  for (std::string_view rest = mutation.rules; !rest.empty();) rules.emplace_back(TakeRule(rest));
  return rules;
}

TEST(Mutation, SlugsAreUniqueAndSpeltAlike) {
  std::set<std::string_view> slugs;
  for (const Mutation& mutation : AllMutations()) {
    const std::string_view slug = mutation.slug;
    EXPECT_TRUE(slugs.insert(slug).second) << slug;
    EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), slug.npos) << slug;
    EXPECT_EQ(slug.find("--"), slug.npos) << slug;
    EXPECT_FALSE(slug.ends_with('-')) << slug;
  }
}

TEST(Mutation, SlugsBeginWithTheirFamily) {
  for (const Mutation& mutation : AllMutations()) {
    const std::string_view prefix = PrefixOf(mutation.family);
    EXPECT_TRUE(mutation.slug.starts_with(prefix)) << mutation.slug;
    EXPECT_GT(mutation.slug.size(), prefix.size()) << mutation.slug;
  }
}

TEST(Mutation, EveryFamilyHasAWordAndMembers) {
  std::set<std::string_view> words;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(MutationFamily::kExample); ++i) {
    const MutationFamily family{i};
    EXPECT_TRUE(words.insert(WordFor(family)).second) << WordFor(family);
    EXPECT_FALSE(WordFor(family).empty());
    EXPECT_TRUE(std::ranges::any_of(AllMutations(), [&](const Mutation& mutation) {
      return mutation.family == family;
    })) << WordFor(family);
  }
  EXPECT_EQ(WordFor(MutationFamily::kLayout), "alignment and layout");
  EXPECT_EQ(WordFor(MutationFamily::kStructure), "structure");
}

TEST(Mutation, EachIsFoundByItsSlugAndByNothingElse) {
  for (const Mutation& mutation : AllMutations()) {
    EXPECT_EQ(FindMutation(mutation.slug), &mutation) << mutation.slug;
  }
  for (const std::string_view slug : {"", "header", "header-", "Header-Magic", "header-magic "}) {
    EXPECT_EQ(FindMutation(slug), nullptr) << slug;
  }
}

TEST(Mutation, EachIsDoneByAFunctionOfItsOwn) {
  std::set<bool (*)(MutationContext&)> functions;
  for (const Mutation& mutation : AllMutations()) {
    ASSERT_NE(mutation.apply, nullptr) << mutation.slug;
    EXPECT_TRUE(functions.insert(mutation.apply).second) << mutation.slug;
  }
}

TEST(Mutation, LiesNameRulesThatRejectInTheGate) {
  for (const Mutation& mutation : AllMutations()) {
    const std::vector<std::string> rules = RulesOf(mutation);
    EXPECT_EQ(rules.empty(), mutation.kind != MutationKind::kLie) << mutation.slug;
    EXPECT_EQ(std::set(rules.begin(), rules.end()).size(), rules.size()) << mutation.slug;
    for (const std::string& slug : rules) {
      const Rule* const rule = FindRule(slug);
      ASSERT_NE(rule, nullptr) << mutation.slug << " names " << slug;
      EXPECT_GE(rule->SeverityIn(Profile::kGate), Severity::kError)
          << mutation.slug << " names " << slug;
    }
  }
}

TEST(Mutation, OnlyLiesNeedDataLookedAt) {
  std::set<DataNeeded> needs;
  for (const Mutation& mutation : AllMutations()) {
    if (mutation.kind != MutationKind::kLie) {
      EXPECT_EQ(mutation.data, DataNeeded::kNone) << mutation.slug;
    }
    if (mutation.data != DataNeeded::kNone) {
      EXPECT_EQ(mutation.family, MutationFamily::kTensorData) << mutation.slug;
    }
    needs.insert(mutation.data);
  }
  EXPECT_EQ(needs.size(), 3U) << "there are lies for every depth of scan";
}

TEST(Mutation, EachSaysWhatItDoes) {
  std::set<std::string_view> whats;
  for (const Mutation& mutation : AllMutations()) {
    ASSERT_GE(mutation.what.size(), 5U) << mutation.slug;
    EXPECT_FALSE(mutation.what.ends_with('.')) << mutation.slug << ": it is put into a table";
    EXPECT_EQ(mutation.what.find_first_of("\n|"), std::string_view::npos) << mutation.slug;
    EXPECT_TRUE(whats.insert(mutation.what).second) << mutation.slug << " says what another says";
  }
}

}  // namespace
}  // namespace ggufgate::mutate

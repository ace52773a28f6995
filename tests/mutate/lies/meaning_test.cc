// Every lie about meaning and text, and of an example, breaks its rules and no others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "mutate/generate/generate.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/sound_file.h"
#include "tests/mutate/workshop.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMeaningRoom = std::size_t{4} << 20;  // for a template of more than 1 MiB

MutationContext& Generated(Workshop& workshop) {
  MutationContext& context = workshop.Fresh();
  Generate(context);
  if (context.random.OneIn(2)) Generate(context);
  Repair(context);
  return context;
}

class MeaningLie : public ::testing::TestWithParam<const Mutation*> {};

TEST_P(MeaningLie, BreaksWhatItNamesAndNothingElse) {
  const Mutation& lie = *GetParam();
  Workshop workshop(7, kMeaningRoom);
  int told = 0;
  const bool large = lie.slug.ends_with("-long");
  for (int i = 0; i < (large ? 5 : 400); ++i) {
    MutationContext& context = Generated(workshop);
    if (!lie.apply(context)) continue;
    ++told;
    ASSERT_TRUE(context.Write());
    std::set<std::string> rules;
    bool at_place = false;
    for (const Finding& finding : Judge(context.bytes()).list) {
      if (finding.severity < Severity::kError) continue;
      rules.emplace(RuleOf(finding.rule).slug);
      at_place = at_place || (context.lie_at && finding.where.begin >= *context.lie_at);
    }
    ASSERT_EQ(rules, std::set<std::string>{std::string(lie.rules)}) << i;
    ASSERT_TRUE(at_place) << i;
  }
  EXPECT_GT(told, large ? 4 : 390);  // it applies to nearly every file
}

std::vector<const Mutation*> LiesOfMeaning() {
  std::vector<const Mutation*> lies;
  for (const Mutation& mutation : AllMutations()) {
    const bool mine = mutation.family == MutationFamily::kCrossField ||
                      mutation.family == MutationFamily::kText ||
                      mutation.family == MutationFamily::kExample ||
                      mutation.slug == "data-expert-index";  // keys say what they mean
    if (mine && mutation.kind == MutationKind::kLie) lies.push_back(&mutation);
  }
  return lies;
}

std::string NameOf(const ::testing::TestParamInfo<const Mutation*>& lie) {
  std::string name(lie.param->slug);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MeaningLie, ::testing::ValuesIn(LiesOfMeaning()), NameOf);

TEST(MeaningLies, ChangeNothingWhereTheyDoNotApply) {
  Workshop workshop(1, kHeaderBytes);  // too small for any lie
  for (const Mutation* lie : LiesOfMeaning()) {
    MutationContext& context = workshop.Fresh();
    Repair(context);
    EXPECT_FALSE(lie->apply(context)) << lie->slug;
    EXPECT_TRUE(context.draft.entries.empty()) << lie->slug;
    ASSERT_TRUE(context.Write());
    EXPECT_FALSE(lie->apply(context)) << lie->slug;  // a written file is not changed either
  }
}

// Each rule about meaning that rejects a single file has a lie.
TEST(MeaningLies, CoverTheRules) {
  std::set<std::string_view> told;
  for (const Mutation* lie : LiesOfMeaning()) told.insert(lie->rules);
  for (const Rule& rule : AllRules()) {
    const bool about_meaning =
        rule.family == Family::kHyperParameters || rule.family == Family::kTokenizer ||
        rule.family == Family::kChatTemplate || rule.family == Family::kSidecars;
    if (!about_meaning || rule.SeverityIn(Profile::kGate) < Severity::kError) continue;
    EXPECT_TRUE(told.contains(rule.slug)) << testing::LieFor(rule);
  }
}

// Found by fuzzing: if the file has the other half, this is not a lie.
TEST(AdapterHalf, NeverMakesAPairWhole) {
  Workshop workshop(9, std::size_t{8} << 10);
  int told = 0;
  for (int i = 0; i < 200; ++i) {
    MutationContext& context = workshop.Fresh();
    PutSoundRecords(context);
    context.draft.tensors[0].name = "blk.0.attn_lie.weight.lora_a";
    context.draft.tensors[1].name = ".lora_b";
    if (FindMutation("cross-adapter-half")->apply(context)) ++told;
  }
  EXPECT_EQ(told, 0);
}

}  // namespace
}  // namespace ggufgate::mutate

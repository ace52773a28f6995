// Every lie about meaning and text: what it breaks, and that it breaks nothing else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "mutate/attach.h"
#include "mutate/generate.h"
#include "mutate/mutation.h"
#include "mutate/repair.h"
#include "parse/parse.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kRoom = std::size_t{4} << 20;  // for a template of more than 1 MiB

// Workshop makes one mutant after the other.
class Workshop {
 public:
  explicit Workshop(std::uint64_t seed) : random_(seed) {}

  Bench& Fresh() {
    scratch_.Reset();
    bench_.emplace(draft_, donor_, scratch_, placement_, seen_, MutableBytes(out_), random_,
                   nullptr);
    TakeApart({}, draft_);
    Generate(*bench_);
    if (random_.OneIn(2)) Generate(*bench_);
    Repair(*bench_);
    return *bench_;
  }

 private:
  Draft draft_, donor_;
  Scratch scratch_{6 * kRoom};
  Placement placement_;
  Seen seen_{Draft::kMostEntries};
  std::vector<std::uint8_t> out_ = std::vector<std::uint8_t>(kRoom);
  Random random_;
  std::optional<Bench> bench_;
};

Findings Judge(Bytes bytes) {
  const Policy policy = PolicyFor(Profile::kGate);
  const ParseResult parsed = Parse(bytes, bytes.size(), policy.limits);
  const MemorySource source(bytes);
  return Check(parsed.document, source, policy).findings;
}

class MeaningLie : public testing::TestWithParam<const Mutation*> {};

TEST_P(MeaningLie, BreaksWhatItNamesAndNothingElse) {
  const Mutation& lie = *GetParam();
  Workshop workshop(7);
  int told = 0;
  const bool large = lie.slug.ends_with("-long");
  for (int i = 0; i < (large ? 5 : 400); ++i) {
    Bench& bench = workshop.Fresh();
    if (!lie.apply(bench)) continue;
    ++told;
    ASSERT_TRUE(bench.Write());
    std::set<std::string> rules;
    bool at_place = false;
    for (const Finding& finding : Judge(bench.bytes()).list) {
      if (finding.severity < Severity::kError) continue;
      rules.emplace(RuleOf(finding.rule).slug);
      at_place = at_place || (bench.lie_at && finding.where.begin >= *bench.lie_at);
    }
    ASSERT_EQ(rules, std::set<std::string>{std::string(lie.rules)}) << i;
    ASSERT_TRUE(at_place) << i;
  }
  EXPECT_GT(told, large ? 4 : 390);  // it applies to nearly every file
}

std::vector<const Mutation*> LiesOfMeaning() {
  std::vector<const Mutation*> lies;
  for (const Mutation& mutation : AllMutations()) {
    const bool mine =
        mutation.family == MutationFamily::kCrossField || mutation.family == MutationFamily::kText;
    if (mine && mutation.kind == MutationKind::kLie) lies.push_back(&mutation);
  }
  return lies;
}

std::string NameOf(const testing::TestParamInfo<const Mutation*>& lie) {
  std::string name(lie.param->slug);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, MeaningLie, testing::ValuesIn(LiesOfMeaning()), NameOf);

TEST(MeaningLies, ChangeNothingWhereTheyDoNotApply) {
  // 24 bytes hold a header and no lie.
  Draft draft, donor;
  Scratch scratch(1 << 12);
  Placement placement;
  Seen seen(Draft::kMostEntries);
  std::vector<std::uint8_t> out(24);
  Random random(1);
  for (const Mutation* lie : LiesOfMeaning()) {
    Bench bench(draft, donor, scratch, placement, seen, MutableBytes(out), random, nullptr);
    TakeApart({}, draft);
    Repair(bench);
    EXPECT_FALSE(lie->apply(bench)) << lie->slug;
    EXPECT_TRUE(draft.entries.empty()) << lie->slug;
    ASSERT_TRUE(bench.Write());
    EXPECT_FALSE(lie->apply(bench)) << lie->slug;  // nor is a written file changed
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
    EXPECT_TRUE(told.contains(rule.slug)) << rule.slug;
  }
}

}  // namespace
}  // namespace ggufgate::mutate

// Findings that a sink keeps.

#include "check/rules/sink.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace ggufgate {
namespace {

constexpr RuleId kRule = RuleId::kKeyCharacters;

struct Taken {
  Findings findings;
  [[nodiscard]] std::uint64_t Total() const {
    return findings.totals.at(static_cast<std::size_t>(kRule));
  }
};

template <typename Report>
Taken Take(Severity severity, Report report) {
  Policy policy;
  policy.severities = {{.rule = kRule, .severity = severity}};
  Taken taken;
  Sink sink(RuleOf(kRule), policy, taken.findings);
  report(sink);
  return taken;
}

TEST(Sink, TakesNothingForARuleThatIsOff) {
  const auto report = [](Sink& sink) {
    sink.Add({.where = {.begin = 1, .size = 2}});
    sink.CountMore(3, {.where = {}});
  };
  EXPECT_EQ(Take(Severity::kOff, report).Total(), 0U);
  EXPECT_TRUE(Take(Severity::kOff, report).findings.list.empty());
  const Taken taken = Take(Severity::kNote, report);
  EXPECT_EQ(taken.Total(), 4U);
  ASSERT_EQ(taken.findings.list.size(), 1U);
  EXPECT_EQ(taken.findings.list.front().where, (ByteRange{.begin = 1, .size = 2}));
}

TEST(Sink, CountsNoMoreWhereThereIsNoMore) {
  const Taken taken = Take(Severity::kError, [](Sink& sink) { sink.CountMore(0, {.where = {}}); });
  EXPECT_EQ(taken.Total(), 0U);
  EXPECT_TRUE(taken.findings.list.empty());
}

TEST(Sink, AFindingMayWeighLessThanItsRuleAndNeverMore) {
  const auto report = [](Sink& sink) { sink.Add({.where = {}, .at_most = Severity::kWarning}); };
  EXPECT_EQ(Take(Severity::kError, report).findings.Worst(), Severity::kWarning);
  EXPECT_EQ(Take(Severity::kNote, report).findings.Worst(), Severity::kNote);
}

// Rules use enumerators as wordings, so a plain number is not accepted.
static_assert(std::is_convertible_v<AdapterWording, Wording>);
static_assert(!std::is_convertible_v<int, Wording>);
static_assert(!std::is_convertible_v<Severity, Wording>);
static_assert(Wording(TensorCountWording::kLimit) != Wording(StringLengthWording::kLimit));

TEST(Sink, DiesOfAWordingThatIsNotTheRules) {
  Policy policy;
  Findings findings;
  Sink one(RuleOf(RuleId::kKeyCharacters), policy, findings);
  one.Add({.where = {}, .wording = KeyCharactersWording::kOnly});
  EXPECT_DEATH(one.Add({.where = {}, .wording = KeyStyleWording::kOnly}), "");
  Sink several(RuleOf(RuleId::kTensorCount), policy, findings);
  several.Add({.where = {}, .wording = TensorCountWording::kLimit});
  EXPECT_EQ(WordingOf(findings.list.back()), TensorCountWording::kLimit);
  EXPECT_DEATH(several.Add({.where = {}, .wording = StringLengthWording::kLimit}), "");
  EXPECT_DEATH(several.Add({.where = {}}), "") << "which of the two?";
}

}  // namespace
}  // namespace ggufgate

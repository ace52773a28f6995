#include "check/shards/shard_set.h"

#include <gtest/gtest.h>

#include <deque>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

Model Shard(std::uint16_t number, std::uint16_t count, std::int32_t tensors) {
  Model model;
  model.Set("split.no", number).Set("split.count", count).Set("split.tensors.count", tensors);
  model.Add("w." + std::to_string(number), TensorType::kF32, {8});
  return model;
}

std::optional<ShardFacts> FactsOf(const Model& model) {
  const std::vector<std::uint8_t> file = Write(model);
  return ShardFactsOf(Parse(file, file.size(), {}).document);
}

// ShardSetTest owns the objects that a set points at.
class ShardSetTest : public ::testing::Test {
 protected:
  // Add adds a shard with this number, from 1.
  void Add(std::uint32_t number, const std::optional<Model>& model, bool unsound = false) {
    facts_.push_back(model ? FactsOf(*model) : std::nullopt);
    findings_.emplace_back().totals.resize(AllRules().size());
    set_.members.push_back({.file = "m-" + std::to_string(number),
                            .number = number,
                            .facts = facts_.back() ? &*facts_.back() : nullptr,
                            .unsound = unsound,
                            .findings = &findings_.back()});
  }

  // Judge returns the wordings of the findings of each member.
  std::vector<std::vector<ShardSetWording>> Judge(const Policy& policy = {}) {
    JudgeShardSet(set_, policy);
    std::vector<std::vector<ShardSetWording>> wordings;
    for (const Findings& findings : findings_) {
      std::vector<ShardSetWording>& list = wordings.emplace_back();
      for (const Finding& finding : findings.list) {
        EXPECT_EQ(finding.rule, RuleId::kShardSet);
        list.push_back(static_cast<ShardSetWording>(finding.wording));
      }
    }
    return wordings;
  }

  const Finding& First(std::size_t member) { return findings_.at(member).list.at(0); }

  ShardSet set_{.stem = "m", .count = 3, .members = {}};
  std::deque<std::optional<ShardFacts>> facts_;
  std::deque<Findings> findings_;
};

using enum ShardSetWording;

TEST_F(ShardSetTest, CompleteIsSilent) {
  for (std::uint16_t i = 0; i < 3; ++i) Add(i + 1U, Shard(i, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST_F(ShardSetTest, OfNothingIsSilent) { EXPECT_THAT(Judge(), IsEmpty()); }

TEST_F(ShardSetTest, NamesWhatIsMissingAtTheFirstThereIs) {
  Add(2, Shard(1, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kMissing, kMissing)));
  EXPECT_EQ(First(0).observed, Text("m-00001-of-00003.gguf"));
  EXPECT_EQ(findings_[0].list[1].observed, Text("m-00003-of-00003.gguf"));
  const Model model = Shard(1, 3, 3);
  EXPECT_EQ(First(0).where, (ByteRange{ValueAt(model, 1), 2}));
  EXPECT_EQ(Describe(First(0).subject), "metadata 1 \"split.count\"");
  EXPECT_EQ(First(0).severity, Severity::kError);
}

TEST_F(ShardSetTest, KeepsAsManyFindingsAsThePolicySays) {
  set_.count = 65'535;
  Add(1, Shard(0, 65'535, 70'000));
  Policy policy;
  policy.findings_per_rule = 2;
  EXPECT_THAT(Judge(policy), ElementsAre(ElementsAre(kMissing, kMissing)));
  EXPECT_EQ(findings_[0].totals.at(static_cast<std::size_t>(RuleId::kShardSet)), 65'534U);
}

TEST_F(ShardSetTest, SeveritiesAreThoseOfTheProfile) {
  Add(1, Shard(0, 3, 3));
  Judge(PolicyFor(Profile::kSpec));
  EXPECT_EQ(First(0).severity, Severity::kWarning);
}

TEST_F(ShardSetTest, RepeatedNumber) {
  Add(1, Shard(0, 3, 3));
  Add(2, Shard(1, 3, 3));
  Model again = Shard(2, 3, 3);
  Add(3, again.Set("split.no", std::uint16_t{1}));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), ElementsAre(kBroken),
                                   ElementsAre(kRepeatedNumber)));
  EXPECT_EQ(First(2).observed, Number(1));
  EXPECT_EQ(First(2).other, Text("m-2"));
  EXPECT_EQ(First(2).where, (ByteRange{ValueAt(again, 0), 2}));
  EXPECT_EQ(First(0).other, Text("m-3"));
  EXPECT_EQ(First(0).where, (ByteRange{0, 0}));
}

TEST_F(ShardSetTest, SwappedNames) {
  set_.count = 2;
  Add(1, Shard(1, 2, 2));
  Add(2, Shard(0, 2, 2));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kOtherNumber), ElementsAre(kOtherNumber)));
  EXPECT_EQ(First(0).observed, Number(2));
  EXPECT_EQ(First(0).allowed, Number(1));
}

TEST_F(ShardSetTest, CountsThatDisagree) {
  set_.count = 2;
  Add(1, Shard(0, 2, 2));
  Add(2, Shard(1, 3, 2));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), ElementsAre(kOtherCount)));
  EXPECT_EQ(First(1).observed, Number(3));
  EXPECT_EQ(First(1).allowed, Number(2));
}

TEST_F(ShardSetTest, TotalsThatDisagree) {
  set_.count = 2;
  Add(1, Shard(0, 2, 2));
  Add(2, Shard(1, 2, 5));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), ElementsAre(kOtherTotal)));
  EXPECT_EQ(First(1).observed, Number(5));
  EXPECT_EQ(First(1).allowed, Number(2));
  EXPECT_EQ(First(1).other, Text("m-1"));
}

TEST_F(ShardSetTest, AWrongTotalIsSaidOfTheFirst) {
  set_.count = 2;
  Add(1, Shard(0, 2, 5));
  Add(2, Shard(1, 2, 5));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kWrongTotal), ElementsAre(kBroken)));
  EXPECT_EQ(First(0).observed, Number(2));
  EXPECT_EQ(First(0).allowed, Number(5));
}

TEST_F(ShardSetTest, TheTotalMayStandInOneShardOnlyOrInNone) {
  set_.count = 2;
  const auto without = [](Model model) {
    model.metadata.pop_back();
    return model;
  };
  Add(1, without(Shard(0, 2, 2)));
  Add(2, Shard(1, 2, 2));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty()));
  facts_[1] = FactsOf(without(Shard(1, 2, 9)));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty()));
}

TEST_F(ShardSetTest, ATensorInTwoShards) {
  set_.count = 2;
  Add(1, Shard(0, 2, 3));
  Model second = Shard(1, 2, 3);
  second.Add("w.0", TensorType::kF32, {8});
  Add(2, second);
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), ElementsAre(kRepeatedTensor)));
  EXPECT_EQ(First(1).where, (ByteRange{NameAt(second, 1), 3}));
  EXPECT_EQ(Describe(First(1).subject), "tensor 1 \"w.0\"");
  EXPECT_EQ(First(1).other, Text("m-1"));
}

TEST_F(ShardSetTest, ATensorTwiceInOneShardIsAnotherRules) {
  set_.count = 2;
  Model first = Shard(0, 2, 3);
  first.Add("w.0", TensorType::kF32, {8});
  Add(1, first);
  Add(2, Shard(1, 2, 3));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty()));
}

TEST_F(ShardSetTest, NamesTooLongAreLeftOut) {
  set_.count = 2;
  for (std::uint16_t i = 0; i < 2; ++i) {
    Model model = Shard(i, 2, 4);
    model.Add(std::string(65, 'n'), TensorType::kF32, {8});
    Add(i + 1U, model);
  }
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_EQ(facts_[0]->directory.size(), 1U);
  EXPECT_EQ(facts_[0]->tensors, 2U);
}

TEST_F(ShardSetTest, OneThatDoesNotSayItIsAShard) {
  set_.count = 2;
  Add(1, Shard(0, 2, 2));
  Add(2, Model::Minimal());
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), ElementsAre(kNoKeys)));
}

TEST_F(ShardSetTest, NoneThatSaysItIsAShard) {
  set_.count = 2;
  Add(1, Model::Minimal());
  Add(2, std::nullopt, /*unsound=*/true);
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kNoKeys), IsEmpty()));
  EXPECT_EQ(First(0).severity, Severity::kWarning);
}

TEST_F(ShardSetTest, OneAloneThatDoesNotSayItIsAShard) {
  set_.count = 2;
  set_.alone = true;
  Add(2, Model::Minimal());
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kNoKeys)));
  EXPECT_EQ(First(0).severity, Severity::kWarning);
}

TEST_F(ShardSetTest, OneOfOneNeedsNoKeys) {
  set_.count = 1;
  set_.alone = true;
  Add(1, Model::Minimal());
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty()));
}

// If another rule warns about a key, no rule reports it as missing.
TEST_F(ShardSetTest, KeysThatShardFieldsJudgesAreNotAbsent) {
  set_.count = 2;
  set_.alone = true;
  Add(2, Shard(1, 2, 2).Set("split.count", std::uint32_t{2}));
  findings_.at(0).totals.at(static_cast<std::size_t>(RuleId::kShardFields)) = 1;
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty()));
}

TEST_F(ShardSetTest, AnUnsoundOneSpoilsTheOthersAndHasItsOwnFindings) {
  set_.count = 2;
  Add(1, Shard(0, 2, 2));
  Add(2, std::nullopt, /*unsound=*/true);
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kBroken), IsEmpty()));
  EXPECT_EQ(First(0).other, Text("m-2"));
}

TEST_F(ShardSetTest, MissingIsSaidOfOneThatWasNotUnderstoodToo) {
  Add(1, std::nullopt, /*unsound=*/true);
  Add(2, Shard(1, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kMissing), ElementsAre(kBroken)));
  EXPECT_EQ(First(0).where, (ByteRange{0, 0}));
}

TEST_F(ShardSetTest, AFileNamedTwiceIsOneShard) {
  set_.count = 2;
  Add(1, Shard(0, 2, 2));
  Add(1, Shard(0, 2, 2));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kMissing), ElementsAre(kMissing)));
}

TEST_F(ShardSetTest, AMergedFileUnderANameOfSeveral) {
  set_.count = 2;
  Add(1, Shard(0, 0, 1));
  Add(2, Shard(1, 2, 2));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kOtherCount), ElementsAre(kBroken)));
  EXPECT_EQ(First(0).observed, Number(0));
  EXPECT_EQ(First(0).allowed, Number(2));
}

TEST_F(ShardSetTest, AMergedFileUnderANameOfOne) {
  set_.count = 1;
  Add(1, Shard(0, 0, 1));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty()));
}

TEST_F(ShardSetTest, AWholeModelUnderANameOfSeveral) {
  set_.count = 2;
  Add(1, Shard(0, 1, 1));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kOtherCount, kMissing)));
}

// The others were not searched for, so none is missing.
TEST_F(ShardSetTest, OneAloneIsHeldAgainstItsNameOnly) {
  set_.alone = true;
  Add(2, Shard(1, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty()));
  Add(2, Shard(1, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(IsEmpty(), IsEmpty())) << "given twice";
}

TEST_F(ShardSetTest, OneAloneContradictsItsName) {
  set_.alone = true;
  Add(3, Shard(1, 3, 3));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kOtherNumber)));
}

TEST_F(ShardSetTest, OneAloneOfAnotherCount) {
  set_.alone = true;
  Add(2, Shard(1, 2, 3));
  EXPECT_THAT(Judge(), ElementsAre(ElementsAre(kOtherCount)));
  EXPECT_EQ(First(0).severity, Severity::kError);
}

TEST(ImpossibleShardName, IsAnErrorOfAShardAndElseAWarning) {
  const ShardName name{.stem = "m", .number = 3, .count = 2};
  const auto finding = [&](const std::optional<ShardFacts>& facts) {
    Findings findings;
    findings.totals.resize(AllRules().size());
    JudgeImpossibleName(name, facts ? &*facts : nullptr, {}, findings);
    return findings.list.at(0);
  };
  const Finding of_shard = finding(FactsOf(Shard(1, 2, 2)));
  EXPECT_EQ(of_shard.severity, Severity::kError);
  EXPECT_EQ(WordingOf(of_shard), ShardSetWording::kImpossibleName);
  EXPECT_EQ(of_shard.observed, Number(3));
  EXPECT_EQ(of_shard.allowed, Number(2));
  EXPECT_EQ(finding(std::nullopt).severity, Severity::kWarning);
  EXPECT_EQ(finding(FactsOf(Shard(0, 1, 1))).severity, Severity::kWarning);
}

TEST(ShardFacts, AreNotOfFilesThatAreNoShards) {
  EXPECT_FALSE(FactsOf(Model::Minimal()));
  EXPECT_EQ(FactsOf(Shard(0, 0, 1))->count.value, 0U) << "a merged file";
  EXPECT_THAT(FactsOf(Shard(0, 0, 1))->directory, IsEmpty());
  EXPECT_FALSE(FactsOf(Shard(2, 2, 1)));
  EXPECT_FALSE(FactsOf(Shard(0, 2, 1).Set("split.count", std::uint32_t{2})));
  EXPECT_TRUE(FactsOf(Shard(0, 2, -1)));
  EXPECT_FALSE(FactsOf(Shard(0, 2, -1))->tensors_of_all);
  std::vector<std::uint8_t> file = Write(Shard(0, 2, 1));
  file.resize(100);
  EXPECT_FALSE(ShardFactsOf(Parse(file, file.size(), {}).document));
}

}  // namespace
}  // namespace ggufgate::testing

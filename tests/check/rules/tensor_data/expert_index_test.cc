// Tables of experts by token: their allowed values, and the tensors that are checked.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "check/data_scan.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

Policy FullScan(Profile profile = Profile::kGate) {
  Policy policy = PolicyFor(profile);
  policy.target = TargetOrder::kAny;
  policy.data = DataScan::kFull;
  return policy;
}

void Put(Model& model, std::size_t element, std::int32_t expert) {
  Store(expert, model.byte_order,
        MutableBytes(model.tensors.back().data).subspan(element * sizeof(expert)));
}

struct Table {
  std::string architecture = "deepseek4";
  std::string name = "blk.0.ffn_gate_tid2eid.weight";
  TensorType type = TensorType::kI32;
  std::uint64_t tokens = 3;
  ByteOrder order = ByteOrder::kLittle;
};

// Of returns a model with four experts, two for each token. Its first layer looks them up in this
// table, which sends all tokens to the last one.
Model Of(const Table& table) {
  Model model;
  model.byte_order = table.order;
  model.Set("general.architecture", table.architecture);
  const auto set = [&](const char* key, std::uint32_t value) {
    model.Set(table.architecture + "." + key, value);
  };
  set("block_count", 1);
  set("context_length", 16);
  set("embedding_length", 16);
  set("expert_count", 4);
  set("expert_used_count", 2);
  set("hash_layer_count", 1);
  model.Add(table.name, table.type, {2, table.tokens});
  for (std::size_t i = 0; i < 2 * table.tokens; ++i) Put(model, i, 3);
  return model;
}

// Wrong is the same with one index that is out of range.
Model Wrong(const Table& table) {
  Model model = Of(table);
  Put(model, 1, 4);
  return model;
}

bool IsJudged(const Model& model) {
  return TotalOf(Judge(model, FullScan()), RuleId::kExpertIndex) > 0;
}

TEST(ExpertIndex, SaysWhereAndWhat) {
  Model model = Of({});
  EXPECT_THAT(RulesFired(model, FullScan()), IsEmpty());
  Put(model, 5, 4);
  const Finding finding = SoleFinding(model, RuleId::kExpertIndex, FullScan());
  EXPECT_THAT(finding, Tells({DataAt(model) + 20, 4}, Text("4"), Number(3), Number(2)));
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"blk.0.ffn_gate_tid2eid.weight\" element 5");
  EXPECT_EQ(WordingOf(finding), ExpertIndexWording::kNumber);
  EXPECT_EQ(MessageFor(finding), "token 2 is sent to expert 4; must be 0 to 3");
}

TEST(ExpertIndex, ReadsSignedNumbersInTheOrderOfTheFile) {
  struct Case {
    std::int32_t expert;
    std::string text;
  };
  using Limits = std::numeric_limits<std::int32_t>;
  const std::vector<Case> cases = {{4, "4"},
                                   {-1, "-1"},
                                   {1 << 24, "16,777,216"},
                                   {Limits::max(), "2,147,483,647"},
                                   {Limits::min(), "-2,147,483,648"}};
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    Model model = Of({.order = order});
    for (std::size_t i = 0; i < 4; ++i) Put(model, i, static_cast<std::int32_t>(i));
    EXPECT_THAT(RulesFired(model, FullScan()), IsEmpty());
    for (const Case& c : cases) {
      Put(model, 3, c.expert);
      const Finding finding = SoleFinding(model, RuleId::kExpertIndex, FullScan());
      EXPECT_EQ(finding.observed, Text(c.text));
      EXPECT_EQ(finding.subject.element, 3U);
    }
  }
}

TEST(ExpertIndex, IsJudgedInTablesAlone) {
  EXPECT_TRUE(IsJudged(Wrong({})));
  for (const char* name : {"blk.1.ffn_gate_tid2eid.weight", "blk.0.ffn_gate_tid2eid.bias",
                           "blk.0.x.ffn_gate_tid2eid.weight", "x.0.ffn_gate_tid2eid.weight"}) {
    EXPECT_FALSE(IsJudged(Wrong({.name = name}))) << name;
  }
  EXPECT_FALSE(IsJudged(Wrong({.architecture = "deepseek2"})));
  EXPECT_FALSE(IsJudged(Wrong({.type = TensorType::kF32})));
}

TEST(ExpertIndex, IsJudgedWhereTheModelSaysWhatItHas) {
  Model model = Wrong({.name = "blk.1.ffn_gate_tid2eid.weight"});
  model.Set("deepseek4.hash_layer_count", std::uint32_t{2});
  EXPECT_TRUE(IsJudged(model));
  for (const char* key : {"hash_layer_count", "expert_count", "context_length"}) {
    Model lacking = Wrong({});
    std::erase_if(lacking.metadata, [&](const Model::Entry& entry) {
      return entry.key == std::string("deepseek4.") + key;
    });
    EXPECT_FALSE(IsJudged(lacking)) << key;
  }
  model = Wrong({});
  model.Set("deepseek4.expert_count", std::uint32_t{5});
  EXPECT_FALSE(IsJudged(model));
  model.Set("deepseek4.expert_count", std::uint32_t{0});
  EXPECT_FALSE(IsJudged(model));
  // Indices are signed, whatever the key claims.
  model.Set("deepseek4.expert_count", std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(IsJudged(model));
  Put(model, 1, std::numeric_limits<std::int32_t>::min());
  EXPECT_TRUE(IsJudged(model));
}

TEST(ExpertIndex, WantsAFullScan) {
  Policy policy = FullScan();
  policy.data = DataScan::kScales;
  EXPECT_THAT(RulesFired(Wrong({}), policy), IsEmpty());
  policy.data = DataScan::kNone;
  EXPECT_THAT(RulesFired(Wrong({}), policy), IsEmpty());
}

TEST(ExpertIndex, WeighsAsItsProfileSays) {
  for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec}) {
    EXPECT_EQ(Judge(Wrong({}), FullScan(profile)).Only(RuleId::kExpertIndex).severity,
              Severity::kError);
  }
  EXPECT_EQ(TotalOf(Judge(Wrong({}), FullScan(Profile::kDiffusion)), RuleId::kExpertIndex), 0U);
}

TEST(ExpertIndex, ATableOfZerosIsNoHole) {
  Model model = Of({});
  std::ranges::fill(model.tensors.back().data, std::uint8_t{0});
  EXPECT_THAT(Judge(model, FullScan()).Rules(), IsEmpty());
}

// Larger than the piece of a thread, and not a multiple of a chunk.
TEST(ExpertIndex, KeepsTheFirstAndCountsAll) {
  Model model = Of({.tokens = 600'001});
  ASSERT_GT(model.tensors.back().data.size(), kScanPieceBytes);
  std::vector<std::uint64_t> elements;
  for (std::size_t i = 1; i < 1'200'002; i += 9'999) {
    Put(model, i, -7);
    elements.push_back(i);
  }
  Put(model, 1'200'001, 4);
  Policy policy = FullScan();
  policy.findings_per_rule = 3;
  const Judged judged = Judge(model, policy);
  EXPECT_EQ(TotalOf(judged, RuleId::kExpertIndex), elements.size() + 1);
  const std::vector<Finding> findings = FindingsOf(judged, RuleId::kExpertIndex);
  ASSERT_THAT(findings, SizeIs(3));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(findings[i].subject.element, elements.at(i));
    EXPECT_EQ(findings[i].where.begin, DataAt(model) + 4 * elements.at(i));
    EXPECT_EQ(findings[i].other, Number(elements.at(i) / 2));
  }
}

TEST(ExpertIndex, WhatIsNotKeptMayBeInATableThatIsNotSuppressed) {
  Model model = Of({});
  for (std::size_t i = 0; i < 5; ++i) Put(model, i, 9);
  Policy policy = FullScan();
  policy.findings_per_rule = 3;
  policy.suppressions = {
      {.rule = RuleId::kExpertIndex, .reason = "seen", .sha256 = {}, .path = "blk.0.*"}};
  const std::vector<Finding> findings = FindingsOf(Judge(model, policy), RuleId::kExpertIndex);
  ASSERT_THAT(findings, SizeIs(4));
  const auto unlisted =
      std::ranges::find_if(findings, [](const Finding& finding) { return !finding.suppression; });
  ASSERT_NE(unlisted, findings.end());
  EXPECT_EQ(WordingOf(*unlisted), ExpertIndexWording::kUnlisted);
  EXPECT_EQ(MessageFor(*unlisted),
            "no such expert: 2 more numbers, in tensors that the suppressions may not cover");
}

TEST(ExpertIndex, RejectsAtOnceUnlessAPolicyMayLetItPass) {
  std::array<std::uint64_t, kDataFaultCount> counts{};
  Policy policy = FullScan();
  EXPECT_FALSE(RejectsAtOnce(counts, policy));
  counts.at(static_cast<std::size_t>(DataFault::kIndexBeyond)) = 1;
  EXPECT_TRUE(RejectsAtOnce(counts, policy));
  policy.severities = {{RuleId::kExpertIndex, Severity::kWarning}};
  EXPECT_FALSE(RejectsAtOnce(counts, policy));
}

}  // namespace
}  // namespace ggufgate::testing

#include "check/shards/joined_shards.h"

#include <gtest/gtest.h>

#include <deque>

#include "check/rule.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "tests/support/rules/contracts_file.h"

namespace ggufgate::testing {
namespace {

// Two shards of a model: its hyper-parameters and embeddings, and a norm, which runs only as F32.
std::vector<Model> TwoShards(TensorType norm, ByteOrder order = ByteOrder::kLittle) {
  std::vector<Model> shards(2);
  for (Model& shard : shards) shard.byte_order = order;
  shards[0].Set("general.name", "before the keys that matter");
  shards[0].Set("general.architecture", "llama").Set("llama.context_length", std::uint32_t{16});
  shards[0].Set("llama.embedding_length", std::uint32_t{8});
  shards[0].Set("llama.block_count", std::uint32_t{1});
  shards[0].Set("llama.attention.head_count", std::uint32_t{2});
  shards[0].Set("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  shards[0].Add("token_embd.weight", TensorType::kF32, {8, 3});
  shards[1].Add("unrelated", TensorType::kF32, {8});
  shards[1].Add("output_norm.weight", norm, {8});
  for (std::uint16_t i = 0; i < 2; ++i) {
    shards[i].Set("split.no", i).Set("split.count", std::uint16_t{2});
  }
  return shards;
}

// SetOf checks the shards separately, and then together.
class SetOf {
 public:
  explicit SetOf(const std::vector<Model>& shards, const Policy& policy = {}) {
    ShardSet set{.stem = "m", .count = static_cast<std::uint32_t>(shards.size()), .members = {}};
    for (const Model& shard : shards) {
      Judged& judged = judged_.emplace_back(Judge(shard, policy));
      facts_.push_back(ShardFactsOf(judged.parsed.document));
      set.members.push_back({.file = "m-" + std::to_string(facts_.size()),
                             .number = static_cast<std::uint32_t>(facts_.size()),
                             .facts = &*facts_.back(),
                             .findings = &judged.checked.findings});
    }
    JudgeShardSet(set, policy);
  }

  // Of returns the findings of a rule in one shard.
  [[nodiscard]] std::vector<Finding> Of(std::size_t shard, RuleId rule) const {
    return FindingsOf(judged_.at(shard), rule);
  }
  [[nodiscard]] const Judged& shard(std::size_t number) const { return judged_.at(number); }

 private:
  std::deque<Judged> judged_;
  std::deque<std::optional<ShardFacts>> facts_;
};

TEST(JoinedShards, ATypeInALaterShardIsHeldAgainstTheArchitectureOfTheFirst) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    const std::vector<Model> shards = TwoShards(TensorType::kF16, order);
    const SetOf set(shards);
    EXPECT_THAT(set.Of(0, RuleId::kTensorRole), IsEmpty());
    const std::vector<Finding> found = set.Of(1, RuleId::kTensorRole);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(Describe(found[0].subject), "tensor 1 \"output_norm.weight\"");
    EXPECT_EQ(found[0].where.begin, TensorTypeAt(shards[1], 1));
    EXPECT_THAT(set.Of(0, RuleId::kShardSet), SizeIs(1)) << "the other says it too";
  }
}

TEST(JoinedShards, SoundOnesAreSilent) {
  const SetOf set(TwoShards(TensorType::kF32));
  EXPECT_THAT(set.Of(1, RuleId::kTensorRole), IsEmpty());
  EXPECT_THAT(set.Of(0, RuleId::kShardSet), IsEmpty());
  EXPECT_THAT(set.Of(1, RuleId::kShardSet), IsEmpty());
}

// The keys are copied, but findings have their offsets in the file.
TEST(JoinedShards, AKeyIsFoundAtItsPlaceInTheFirst) {
  const std::vector<Model> shards = TwoShards(TensorType::kF32);
  const SetOf set(shards);
  const std::vector<Finding> found = set.Of(0, RuleId::kTensorMissing);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(Describe(found[0].subject), "metadata 1 \"general.architecture\"");
  EXPECT_EQ(found[0].where.begin, ValueAt(shards[0], 1));
}

TEST(JoinedShards, WhatAShardSaysOfItselfIsSaidOnce) {
  std::vector<Model> shards = TwoShards(TensorType::kF32);
  std::swap(shards[0].tensors, shards[1].tensors);
  shards[0].tensors[1].type_id = static_cast<std::uint32_t>(TensorType::kF16);
  shards[0].LayOut();
  EXPECT_THAT(SetOf(shards).Of(0, RuleId::kTensorRole), SizeIs(1));
}

// The JavaScript module knows only the findings of one file; those of the others are empty.
TEST(JoinedShards, AreJudgedWhereNothingIsKnownOfOthers) {
  const std::vector<Model> shards = TwoShards(TensorType::kF16);
  std::deque<Judged> judged;
  std::vector<ShardFacts> facts;
  for (const Model& shard : shards) {
    facts.push_back(*ShardFactsOf(judged.emplace_back(Judge(shard)).parsed.document));
  }
  Findings of_another;
  const ShardSet set{
      .stem = "m",
      .count = 2,
      .members = {
          {.file = "a", .number = 1, .facts = &facts[0], .findings = &of_another},
          {.file = "b", .number = 2, .facts = &facts[1], .findings = &judged[1].checked.findings}}};
  JudgeShardSet(set, Policy());
  EXPECT_THAT(FindingsOf(judged[1], RuleId::kTensorRole), SizeIs(1));
}

// Suppressed findings do not displace others, in the first shard or in the set.
TEST(JoinedShards, ASuppressionHidesNothingElse) {
  std::vector<Model> shards = TwoShards(TensorType::kF16);
  for (std::size_t i = 0; i < JoinedShards::kMostFindings; ++i) {
    shards[0].Add("blk." + std::to_string(i) + ".attn_norm.weight", TensorType::kF16, {8});
  }
  Policy policy;
  policy.suppressions = {{.rule = RuleId::kTensorRole, .reason = "known", .path = "blk.*"}};
  EXPECT_THAT(SetOf(shards, policy).Of(1, RuleId::kTensorRole), SizeIs(1));
}

TEST(JoinedShards, SuppressionsAndSeveritiesHold) {
  Policy policy;
  policy.suppressions = {{.rule = RuleId::kTensorRole, .reason = "known", .path = "output_norm.*"}};
  const SetOf suppressed(TwoShards(TensorType::kF16), policy);
  ASSERT_THAT(suppressed.Of(1, RuleId::kTensorRole), SizeIs(1));
  EXPECT_EQ(suppressed.Of(1, RuleId::kTensorRole)[0].suppression, "known");
  const Findings& findings = suppressed.shard(1).checked.findings;
  EXPECT_EQ(findings.suppressed.at(static_cast<std::size_t>(RuleId::kTensorRole)), 1U);
  EXPECT_THAT(suppressed.Of(0, RuleId::kShardSet), IsEmpty());

  policy.suppressions.clear();
  policy.severities = {{.rule = RuleId::kTensorRole, .severity = Severity::kWarning}};
  const SetOf warned(TwoShards(TensorType::kF16), policy);
  ASSERT_THAT(warned.Of(1, RuleId::kTensorRole), SizeIs(1));
  EXPECT_EQ(warned.Of(1, RuleId::kTensorRole)[0].severity, Severity::kWarning);
  EXPECT_THAT(warned.Of(0, RuleId::kShardSet), IsEmpty()) << "nothing rejects the other";
}

TEST(JoinedShards, AreNotJudgedWhereOneIsMissing) {
  std::vector<Model> shards = TwoShards(TensorType::kF16);
  for (Model& shard : shards) shard.Set("split.count", std::uint16_t{3});
  const SetOf set(shards);
  EXPECT_THAT(set.Of(1, RuleId::kTensorRole), IsEmpty());
  EXPECT_THAT(set.Of(0, RuleId::kShardSet), Not(IsEmpty()));
}

// Keys beyond the limit cannot be checked, so the set is rejected.
TEST(JoinedShards, RefuseMoreKeysThanAreKept) {
  std::vector<Model> shards = TwoShards(TensorType::kF32);
  const auto room = [&] {
    const Judged judged = Judge(shards[0]);
    return ShardFacts::kMostKeyBytes - ShardFactsOf(judged.parsed.document)->key_bytes;
  };
  const std::uint64_t left = room();
  const std::string key = "llama.x";
  const std::uint64_t record = 8 + key.size() + 4 + 8;
  shards[0].Set(key, std::string(left - record, 'x'));
  EXPECT_EQ(room(), 0U);
  EXPECT_THAT(SetOf(shards).Of(0, RuleId::kShardSet), IsEmpty());

  shards[0].Set(key, std::string(left - record + 1, 'x'));
  const std::vector<Finding> found = SetOf(shards).Of(0, RuleId::kShardSet);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(WordingOf(found[0]), Wording(ShardSetWording::kTooManyKeys));
  EXPECT_EQ(found[0].observed, Number(ShardFacts::kMostKeyBytes + 1));
}

// The same limit applies to one file.
TEST(JoinedShards, RefuseMoreTensorsThanOneFileMayHave) {
  const std::vector<Model> shards = TwoShards(TensorType::kF32);
  Policy policy;
  policy.limits.tensors = 3;
  EXPECT_THAT(SetOf(shards, policy).Of(0, RuleId::kShardSet), IsEmpty());
  policy.limits.tensors = 2;
  const std::vector<Finding> found = SetOf(shards, policy).Of(0, RuleId::kShardSet);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(WordingOf(found[0]), Wording(ShardSetWording::kTooManyTensors));
  EXPECT_EQ(found[0].observed, Number(3));
}

// Another fault of the set does not prevent this check.
TEST(JoinedShards, AreJudgedWhereATotalIsWrong) {
  std::vector<Model> shards = TwoShards(TensorType::kF16);
  for (Model& shard : shards) shard.Set("split.tensors.count", std::int32_t{4});
  EXPECT_THAT(SetOf(shards).Of(1, RuleId::kTensorRole), SizeIs(1));
}

// Facts from a process that is not trusted.
TEST(JoinedShards, AreNotWholeWhereFactsContradictEachOther) {
  const Judged first = Judge(TwoShards(TensorType::kF32)[0]);
  const ShardFacts sound = *ShardFactsOf(first.parsed.document);
  const Policy policy;
  const auto is_whole = [&](const ShardFacts& facts) {
    const std::array<const ShardFacts*, 1> shards = {&facts};
    return JoinedShards(shards, policy).IsWhole();
  };
  EXPECT_TRUE(is_whole(sound));
  ShardFacts fewer_places = sound;
  fewer_places.key_places.pop_back();
  EXPECT_FALSE(is_whole(fewer_places));
  ShardFacts cut = sound;
  cut.keys.pop_back();
  EXPECT_FALSE(is_whole(cut));
  ShardFacts nothing = sound;
  nothing.keys.clear();
  EXPECT_FALSE(is_whole(nothing));
}

// Contracts of another release decide about the joined model, too. Loader a takes
// the norm in any type.
TEST(JoinedShards, AreJudgedForEachNamedLoader) {
  std::string lenient = BlockText(*FindContract("llama"));
  constexpr std::string_view kNorm = " output_norm.weight";
  lenient.erase(lenient.find(kNorm, lenient.find("role float ")), kNorm.size());
  const auto table = [](std::string_view release, const std::string& block) {
    return TableOf(ContractsFile(release, block));
  };
  Policy policy;
  policy.loaders = {table("a", lenient)};
  EXPECT_TRUE(SetOf(TwoShards(TensorType::kF16)).Of(1, RuleId::kTensorRole).size() == 1);
  EXPECT_TRUE(SetOf(TwoShards(TensorType::kF16), policy).Of(1, RuleId::kTensorRole).empty());
  policy.loaders.push_back(table("b", BlockText(*FindContract("llama"))));
  const std::vector<Finding> found =
      SetOf(TwoShards(TensorType::kF16), policy).Of(1, RuleId::kTensorRole);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().releases, std::vector<std::string>{"b"});
}

}  // namespace
}  // namespace ggufgate::testing

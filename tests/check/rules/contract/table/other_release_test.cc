// Judgements by the contracts of another release.

#include <gmock/gmock.h>

#include <string>

#include "check/wording.h"
#include "tests/support/judge.h"
#include "tests/support/rules/contracts_file.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::string_view kRelease = "llama.cpp v9";

// BlockOf returns a block that is compiled in.
std::string BlockOf(std::string_view architecture) {
  return BlockText(*FindContract(architecture));
}

Policy By(const std::string& blocks, Profile profile = Profile::kGate) {
  Policy policy = PolicyFor(profile);
  policy.loaders = {TableOf(ContractsFile(kRelease, blocks))};
  return policy;
}

// ModelOf has the tensors that belong to no layer. Its heads are 32 wide.
Model ModelOf(std::string_view architecture, std::uint32_t rotated) {
  Model model;
  model.Set(kArchitectureKey, architecture);
  const std::string prefix = std::string(architecture) + ".";
  for (const auto& [name, value] :
       {std::pair("context_length", 128U), {"embedding_length", 64U}, {"block_count", 2U}}) {
    model.Set(prefix + name, value);
  }
  model.Set(prefix + "attention.head_count", std::uint32_t{2});
  model.Set(prefix + "rope.dimension_count", rotated);
  model.Add("token_embd.weight", TensorType::kF32, {64, 1});
  model.Add("output_norm.weight", TensorType::kF32, {64});
  return model;
}

std::uint64_t CountOf(const Judged& judged, RuleId rule) {
  return judged.checked.findings.totals.at(static_cast<std::size_t>(rule));
}

TEST(OtherRelease, AConditionThatItLacksRejectsNothing) {
  const Model odd = ModelOf("qwen3", 31);
  EXPECT_EQ(CountOf(Judge(odd), RuleId::kRopeDimensions), 2U);
  const std::string block = BlockOf("qwen3");
  EXPECT_EQ(CountOf(Judge(odd, By(block)), RuleId::kRopeDimensions), 2U);
  const std::string lacks_one = Replaced(block, ",rotated-odd", "");
  EXPECT_EQ(CountOf(Judge(odd, By(lacks_one)), RuleId::kRopeDimensions), 1U);
  EXPECT_FALSE(Judge(odd, By(lacks_one)).Accepted());
  const Judged judged = Judge(odd, By(Replaced(lacks_one, ",rotated-is-value-width", "")));
  EXPECT_EQ(CountOf(judged, RuleId::kRopeDimensions), 0U);
}

TEST(OtherRelease, AConditionThatItAddsRejects) {
  const Model even = ModelOf("qwen3", 32);
  const std::string block = BlockOf("qwen3");
  EXPECT_EQ(CountOf(Judge(even, By(block)), RuleId::kLayerCounts), 0U);
  const Policy policy = By(Replaced(block, "condition rope-scaling-type aborts load",
                                    "condition rope-scaling-type,states-nowhere hangs load"));
  const Judged judged = Judge(even, policy);
  EXPECT_FALSE(judged.Accepted());
  const Finding finding = judged.Only(RuleId::kLayerCounts);
  EXPECT_THAT(finding.releases, ElementsAre(kRelease));
  EXPECT_THAT(MessageFor(finding), HasSubstr("(llama.cpp v9 refuses the file or crashes)"));
}

TEST(OtherRelease, MessagesNameIt) {
  const Judged judged = Judge(ModelOf("qwen3", 32), By(BlockOf("qwen3")));
  const Finding finding = judged.Only(RuleId::kTensorMissing);
  EXPECT_THAT(MessageFor(finding), HasSubstr("llama.cpp v9 refuses the file"));
  const Finding plain = Judge(ModelOf("qwen3", 32)).Only(RuleId::kTensorMissing);
  EXPECT_THAT(plain.releases, IsEmpty());
  EXPECT_THAT(MessageFor(plain), HasSubstr("llama.cpp v0.5.0 refuses the file"));
}

// A finding of another rule describes v0.5.0, whatever contracts judge.
TEST(OtherRelease, OtherRulesDoNotNameIt) {
  const Judged judged = Judge(ModelOf("qwen3", 32).Set("", "no key"), By(BlockOf("qwen3")));
  EXPECT_THAT(judged.Only(RuleId::kKeyEmpty).releases, IsEmpty());
}

TEST(OtherRelease, AnArchitectureThatItLacksIsUnknown) {
  const std::string qwen3 = BlockOf("qwen3");
  const Model llama = ModelOf("llama", 31);
  EXPECT_EQ(CountOf(Judge(llama), RuleId::kArchitectureUnknown), 0U);
  const Judged judged = Judge(llama, By(qwen3));
  const Finding finding = judged.Only(RuleId::kArchitectureUnknown);
  EXPECT_EQ(WordingOf(finding), Wording(ArchitectureUnknownWording::kOtherRelease));
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(MessageFor(finding),
            "architecture \"llama\" is not in the contracts of llama.cpp v9; hyper-parameters that "
            "depend on it were not checked");
  EXPECT_FALSE(Judge(llama, By(qwen3, Profile::kLlamaCpp)).Accepted());
  EXPECT_EQ(CountOf(Judge(llama, By(BlockOf("llama") + qwen3)), RuleId::kArchitectureUnknown), 0U);
  Policy lowered = By(qwen3);
  lowered.severities = {{.rule = RuleId::kArchitectureUnknown, .severity = Severity::kNote}};
  EXPECT_EQ(Judge(llama, lowered).Only(RuleId::kArchitectureUnknown).severity, Severity::kNote);
  // Nobody knows it. The named release does not either.
  const Judged newest = Judge(ModelOf("newest", 31), By(qwen3));
  EXPECT_EQ(WordingOf(newest.Only(RuleId::kArchitectureUnknown)),
            Wording(ArchitectureUnknownWording::kOtherRelease));
  EXPECT_FALSE(newest.Accepted());
}

// Sanitizers see a sum of products of numbers that are no u32.
TEST(OtherRelease, WidthsThatAreTooLargeAreNotAdded) {
  Model model = ModelOf("llama", 32);
  for (const char* key : {"head_count", "head_count_kv", "key_length", "value_length"}) {
    model.Set(std::string("llama.attention.") + key, UINT64_MAX);
  }
  model.Add("blk.0.attn_qkv.weight", TensorType::kF32, {64, 192});
  EXPECT_FALSE(Judge(model, By(BlockOf("llama"))).Accepted());
  EXPECT_FALSE(Judge(model).Accepted());
}

TEST(OtherRelease, AnArchitectureThatOnlyItHasIsChecked) {
  const Policy policy = By(Replaced(BlockOf("qwen3"), "architecture qwen3", "architecture newest"));
  EXPECT_TRUE(Judge(ModelOf("newest", 31)).Accepted());
  const Judged judged = Judge(ModelOf("newest", 31), policy);
  EXPECT_EQ(CountOf(judged, RuleId::kArchitectureUnknown), 0U);
  EXPECT_EQ(CountOf(judged, RuleId::kRopeDimensions), 2U);
  EXPECT_EQ(CountOf(Judge(ModelOf("newest", 32), policy), RuleId::kRopeDimensions), 0U);
}

// A named release knows only architectures with a contract, whatever others know.
TEST(OtherRelease, KnowsNoArchitectureWithoutAContract) {
  for (const char* name : {"chameleon", "plm", "gptj", "eagle3", "gemma4-assistant", "flux",
                           "mllama", "clip", "controlvector", "test"}) {
    for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp}) {
      EXPECT_EQ(WordingOf(Judge(ModelOf(name, 32), By(BlockOf("qwen3"), profile))
                              .Only(RuleId::kArchitectureUnknown)),
                Wording(ArchitectureUnknownWording::kOtherRelease))
          << name;
    }
  }
}

// Profile gate warns about a file that llama.cpp refuses, because it may be meant for another
// program. If the policy names the release, it must run there.
TEST(OtherRelease, AFileThatItRefusesIsRejected) {
  const Model model = ModelOf("qwen3", 32);
  EXPECT_TRUE(Judge(model).Accepted());
  EXPECT_FALSE(Judge(model, By(BlockOf("qwen3"))).Accepted());
  EXPECT_EQ(Judge(model, By(BlockOf("qwen3"))).Only(RuleId::kTensorMissing).severity,
            Severity::kError);
  Policy policy = By(BlockOf("qwen3"));
  EXPECT_EQ(RuleOf(RuleId::kContextShift).SeverityIn(policy), Severity::kWarning)
      << "off by default";
  policy.severities = {{.rule = RuleId::kTensorMissing, .severity = Severity::kNote}};
  EXPECT_EQ(Judge(model, policy).Only(RuleId::kTensorMissing).severity, Severity::kNote);
}

}  // namespace
}  // namespace ggufgate::testing

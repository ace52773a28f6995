// Several kinds of models under one architecture: the gate's findings depend on the tensors and
// keys that a file has. Each case was measured with llama.cpp v0.5.0 (ask-llama).

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "format/contracts/contract_table.h"
#include "mutate/build/records.h"
#include "mutate/generate/learned_data.h"
#include "mutate/generate/learned_model.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Model Learned(std::string_view architecture, ContractForm form) {
  return MakeLearned({.contract = FindContract(architecture), .form = form});
}

void Drop(Model& model, std::string_view part) {
  std::erase_if(model.tensors, [&](const Model::Tensor& tensor) {
    return tensor.name.find(part) != std::string::npos;
  });
  model.LayOut();
}

void Add(Model& model, std::string_view name, const std::vector<std::uint64_t>& dims,
         TensorType type = TensorType::kF32) {
  std::erase_if(model.tensors, [&](const Model::Tensor& tensor) { return tensor.name == name; });
  FillLearned(model.Add(name, type, dims));
  model.LayOut();
}

std::vector<std::string> Rules(const Model& model) {
  return testing::Judge(model).AllRules(Severity::kWarning);
}

void LeaveOut(Model& model, std::string_view key) {
  std::erase_if(model.metadata, [&](const Model::Entry& entry) { return entry.key == key; });
}

// Deepseek2OfOneTensor is a model in the older published form, in which keys and values are not
// stored compressed.
Model Deepseek2OfOneTensor() {
  Model model = Learned("deepseek2", ContractForm::kExperts);
  for (const char* key : {"key_length_mla", "value_length_mla"}) {
    LeaveOut(model, "deepseek2.attention." + std::string(key));
  }
  model.Set("deepseek2.attention.head_count_kv", std::uint32_t{2});
  Drop(model, "attn_k_b");
  Drop(model, "attn_v_b");
  for (const char* layer : {"blk.0", "blk.1"}) {
    Add(model, std::string(layer) + ".attn_q_b.weight", {32, 96});
    Add(model, std::string(layer) + ".attn_kv_b.weight", {32, 128});
  }
  return model;
}

TEST(TensorMissing, OneTensorStandsForKeysAndValuesThatAreNotCompressed) {
  Model model = Deepseek2OfOneTensor();
  EXPECT_THAT(Rules(model), IsEmpty());
  Drop(model, "attn_kv_b");
  const Finding finding = testing::Judge(model).Only(RuleId::kTensorMissing);
  EXPECT_EQ(std::get<std::string>(finding.observed), "blk.*.attn_kv_b.weight");
}

// The keys determine the memory of keys and values, the tensors determine the graph.
TEST(HeadWidths, KeysAndTensorsAgreeWhetherKeysAreCompressed) {
  Model model = Learned("kimi-linear", ContractForm::kExperts);
  EXPECT_THAT(Rules(model), IsEmpty());
  Drop(model, "attn_k_b");
  Drop(model, "attn_v_b");
  Add(model, "blk.0.attn_kv_b.weight", {32, 96});
  EXPECT_THAT(Rules(model), ElementsAre("head-widths"));
  model.Set("kimi-linear.attention.value_length_mla", std::uint32_t{0});
  model.Set("kimi-linear.attention.head_count_kv", std::vector<std::uint32_t>{2, 0});
  EXPECT_THAT(Rules(model), IsEmpty());
}

TEST(HeadWidths, TheFirstLayerHasEnoughHeads) {
  Model model = Learned("gemma3n", ContractForm::kDense);
  std::vector<std::uint32_t> heads(22, 4);
  model.Set("gemma3n.attention.head_count_kv", std::uint32_t{4});
  heads.front() = 1;
  model.Set("gemma3n.attention.head_count", heads);
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), ElementsAre("head-widths"));
  model.Set("gemma3n.attention.head_count_kv", std::uint32_t{1});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
}

// If the uncompressed widths are 0, the loader uses those of other models.
TEST(ShapeRefused, WidthsBeforeCompressionMayBeZero) {
  Model model = Learned("bailingmoe3", ContractForm::kExperts);
  model.Set("bailingmoe3.attention.key_length_mla", std::uint32_t{0});
  EXPECT_THAT(Rules(model), ElementsAre("shape-refused"));
  Add(model, "blk.0.attn_q_b.weight", {32, 96});
  Add(model, "blk.0.attn_k_b.weight", {32, 32, 2});
  EXPECT_THAT(Rules(model), IsEmpty());
  model.Set("bailingmoe3.attention.head_count_kv", std::vector<std::uint32_t>{2, 0});
  EXPECT_THAT(Rules(model), ElementsAre("head-widths"));
}

// The loader accepts an array, and most architectures use its first number for all layers.
TEST(ShapeRefused, OfTheFirstLayerAlone) {
  Model model = Learned("qwen2", ContractForm::kDense);
  model.Set("qwen2.feed_forward_length", std::vector<std::uint32_t>{96, 32});
  EXPECT_THAT(Rules(model), IsEmpty());
  model.Set("qwen2.feed_forward_length", std::vector<std::uint32_t>{32, 96});
  EXPECT_THAT(Rules(model), ElementsAre("shape-refused"));
}

// If ffn_gate_up_exps exists, it is used; otherwise the two tensors that it combines.
TEST(TensorRole, OfWhatIsUsedInSomeFormsAlone) {
  Model model = Learned("hy_v3", ContractForm::kWholeExperts);
  EXPECT_THAT(Rules(model), IsEmpty());
  for (const char* layer : {"blk.0", "blk.1"}) {
    Drop(model, std::string(layer) + ".ffn_gate_up_exps");
    Add(model, std::string(layer) + ".ffn_gate_exps.weight", {64, 64, 4});
    Add(model, std::string(layer) + ".ffn_up_exps.weight", {64, 64, 4});
  }
  EXPECT_THAT(Rules(model), IsEmpty());
  Add(model, "blk.1.ffn_gate_exps.weight", {64, 64, 4}, TensorType::kI16);
  EXPECT_THAT(Rules(model), ElementsAre("tensor-role"));
  Add(model, "blk.1.ffn_gate_exps.weight", {64, 64, 4}, TensorType::kF16);
  EXPECT_THAT(Rules(model), IsEmpty());
}

// The kernel reads floats regardless of the type; for elements of fewer than four bytes it reads
// past the end.
TEST(TensorRole, OfWhatAKernelReadsAsFloats) {
  Model model = Learned("rwkv6", ContractForm::kWholeDense);
  EXPECT_THAT(Rules(model), IsEmpty());
  Add(model, "blk.0.time_mix_first.weight", {64}, TensorType::kF16);
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), ElementsAre("tensor-role"));
  Add(model, "blk.0.time_mix_first.weight", {64}, TensorType::kI32);
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
}

// An expert layer runs with a part of the dense network; a dense layer does not run with a part of
// it.
TEST(TensorUsed, PartsOfANetworkWhereTheLayerUsesIt) {
  Model model = Learned("step35", ContractForm::kWholeExperts);
  Drop(model, "blk.0.ffn_up.");
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
  Drop(model, "blk.0.ffn_gate_inp.");
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), ElementsAre("tensor-used"));
  Drop(model, "blk.0.ffn_gate.");
  Drop(model, "blk.0.ffn_down.");
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
}

// grok adds a dense network to its experts if ffn_up is there, and then needs ffn_down.
TEST(TensorUsed, ADenseNetworkNextToExperts) {
  Model model = Learned("grok", ContractForm::kExperts);
  Add(model, "blk.0.ffn_up.weight", {64, 96});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), ElementsAre("tensor-used"));
  Add(model, "blk.0.ffn_down.weight", {96, 64});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
}

// The joined queries of jina-bert-v2 are a view, to which a norm cannot be applied.
TEST(TensorUsed, ANormOfQueriesNeedsSeparateQueries) {
  Model model = Learned("jina-bert-v2", ContractForm::kDense);
  for (const char* const name : {"blk.0.attn_q.", "blk.0.attn_k.", "blk.0.attn_v."})
    Drop(model, name);
  Add(model, "blk.0.attn_qkv.weight", {64, 192});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), IsEmpty());
  Add(model, "blk.0.attn_q_norm.weight", {64});
  Add(model, "blk.0.attn_q_norm.bias", {64});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError), ElementsAre("tensor-used"));
}

TEST(TensorUnfit, JoinedQueriesInALayerWithAState) {
  Model model = Learned("bailingmoe3", ContractForm::kExperts);
  for (const char* part : {"q", "k", "v"}) Drop(model, "blk.1.attn_" + std::string(part) + ".");
  Add(model, "blk.1.attn_qkv.weight", {64, 192});
  EXPECT_THAT(testing::Judge(model).Rules(Severity::kError),
              ElementsAre("tensor-unfit", "tensor-used"));
}

// The rest of a head, which is not rotated, is even: only the number of rotated values is wrong.
TEST(Conditions, OfAnOddNumberOfRotatedValuesBesideAnEvenRest) {
  for (const char* release : {"llama.cpp v0.5.0", "llama.cpp v0.4.0", "llama.cpp b10361"}) {
    for (const std::string architecture : {"minicpm3", "deepseek2", "mistral4"}) {
      SCOPED_TRACE(std::string(release) + " " + architecture);
      const ContractTable* const table = ContractTable::FindLearned(release);
      const bool latent = architecture != "minicpm3";
      for (const std::uint32_t rotated : {17U, 18U}) {
        Model model = MakeLearned({.contract = table->Find(architecture),
                                   .form = latent ? ContractForm::kExperts : ContractForm::kDense});
        const std::string attention = architecture + ".attention.key_length";
        model.Set(architecture + ".rope.dimension_count", rotated);
        model.Set(attention, rotated + (latent ? 32U : 16U));
        if (latent) model.Set(attention + "_mla", rotated + 16U);
        Policy policy = PolicyFor(Profile::kGate);
        policy.loaders = {std::make_shared<const ContractTable>(*table)};
        const auto rules = testing::Judge(model, policy).AllRules(Severity::kError);
        EXPECT_EQ(std::ranges::count(rules, "rope-dimensions"), rotated % 2);
      }
    }
  }
}

// The loader refuses arrays under most keys, so a message must not say that it aborts.
TEST(Conditions, OfAnArrayThatNoModelHasSayThatItMayBeRefused) {
  Model model = Learned("nanbeige", ContractForm::kDense);
  model.Set("nanbeige.num_loops", std::uint32_t{0});
  const auto ending = [&] {
    return std::get<std::string>(testing::Judge(model).Only(RuleId::kLayerCounts).other);
  };
  EXPECT_EQ(ending(), "aborts while it loads");
  model.Set("nanbeige.num_loops", std::vector<std::uint32_t>{0, 0});
  EXPECT_EQ(ending(), "refuses the file or crashes");
}

// Layer 0 of a learned model is dense, and layer 1 has experts. The loader expects a network of the
// other kind in a layer if the number of dense layers changes, and refuses the file.
TEST(LearnedKindsTest, TheNumberOfDenseLayersDecidesWhichTensorsALayerNeeds) {
  for (const std::string architecture : {"deepseek2", "glm4moe", "lfm2moe", "ernie4_5-moe"}) {
    Model model = Learned(architecture, ContractForm::kExperts);
    EXPECT_THAT(Rules(model), IsEmpty()) << architecture;
    Model all_experts = model;
    all_experts.Set(architecture + ".leading_dense_block_count", std::uint32_t{0});
    EXPECT_THAT(Rules(all_experts), ::testing::Contains("tensor-missing")) << architecture;
    Model without_router = model;
    Drop(without_router, "blk.1.ffn_gate_inp");
    EXPECT_THAT(Rules(without_router), ::testing::Contains("tensor-missing")) << architecture;
  }
}

}  // namespace
}  // namespace ggufgate::mutate

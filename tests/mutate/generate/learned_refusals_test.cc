// If a learned model lacks a part or has a tensor of another shape, llama.cpp refuses it, and the
// gate must warn. Complete learned models cause no warning: learned_model_test.cc.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "check/wording.h"
#include "format/contracts/contract_table.h"
#include "mutate/build/records.h"
#include "mutate/generate/learned_data.h"
#include "mutate/generate/learned_model.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

LearnedPlan PlanOf(std::string_view architecture, ContractForm form) {
  return {.contract = FindContract(architecture), .form = form};
}

Model Llama(ContractForm form = ContractForm::kDense) { return MakeLearned(PlanOf("llama", form)); }

void LeaveOut(Model& model, std::string_view key) {
  std::erase_if(model.metadata, [&](const Model::Entry& entry) { return entry.key == key; });
}

void DropTensor(Model& model, std::string_view name) {
  std::erase_if(model.tensors, [&](const Model::Tensor& tensor) { return tensor.name == name; });
  model.LayOut();
}

std::vector<std::string> Warnings(const Model& model) {
  return testing::Judge(model).AllRules(Severity::kWarning);
}

// ToldAbsent returns the names that a rule reports as absent.
std::vector<std::string> ToldAbsent(const Model& model, RuleId rule) {
  std::vector<std::string> told;
  for (const Finding& finding : testing::Judge(model).checked.findings.list) {
    if (finding.rule == rule) told.push_back(std::get<std::string>(finding.observed));
  }
  return told;
}

void Reshape(Model& model, std::string_view name, std::vector<std::uint64_t> dims) {
  Model::Tensor& tensor = *std::ranges::find(model.tensors, name, &Model::Tensor::name);
  std::uint64_t elements = 1;
  for (const std::uint64_t dim : dims) elements *= dim;
  tensor.dims = std::move(dims);
  tensor.data.resize(elements * sizeof(float));
  model.LayOut();
}

// Drops each key of the line from a model of the line's first form, and returns how many the gate
// reports as missing. If another form does without a key, it is not reported.
std::size_t MissedKeysOf(std::string_view architecture, std::string_view fields) {
  std::size_t missed = 0;
  const std::string_view letters = TakeField(fields);
  const auto form = static_cast<ContractForm>(kContractFormLetters.find(letters.front()));
  const Model whole = MakeLearned(PlanOf(architecture, form));
  while (!fields.empty()) {
    const std::string_view key = TakeField(fields);
    const std::string name =
        (key.starts_with("xielu.") ? "" : std::string(architecture) + ".") + std::string(key);
    Model model = whole;
    LeaveOut(model, name);
    const std::vector<std::string> told = ToldAbsent(model, RuleId::kHyperparameterMissing);
    EXPECT_THAT(told, AnyOf(IsEmpty(), ElementsAre(name)));
    missed += told.size();
  }
  return missed;
}

TEST(HyperparameterMissing, EachRequiredKeyOfEachArchitectureIsMissed) {
  std::size_t missed = 0;
  for (const Contract& contract : AllContracts()) {
    for (const ContractLine& line : ContractLines(contract)) {
      if (line.word == "required") missed += MissedKeysOf(contract.architecture, line.fields);
    }
  }
  EXPECT_GT(missed, 400U);
}

TEST(HyperparameterMissing, OfExpertsIsNotMissedWithoutThem) {
  EXPECT_THAT(ToldAbsent(Llama(), RuleId::kHyperparameterMissing), IsEmpty());
  EXPECT_THAT(ToldAbsent(Llama(ContractForm::kExperts), RuleId::kHyperparameterMissing), IsEmpty());
}

// RolesBroken returns whether an output matrix of a type breaks rule tensor-role.
bool RolesBroken(LearnedPlan plan, TensorType type, Severity severity = Severity::kError) {
  plan.type = TensorType::kF32;
  Model model = MakeLearned(plan);
  Model::Tensor& output =
      *std::ranges::find(model.tensors, std::string("output.weight"), &Model::Tensor::name);
  output.type_id = static_cast<std::uint32_t>(type);
  FillLearned(output);
  model.LayOut();
  return std::ranges::count(testing::Judge(model).AllRules(severity), "tensor-role") > 0;
}

// The graph of codeshell looks up rows of its output matrix, because it has no embedding. For a
// matrix that a processor stores with rows interleaved, it finds no backend.
TEST(TensorRole, RowsAreNotLookedUpInARepackedMatrix) {
  LearnedPlan plan = PlanOf("codeshell", ContractForm::kDense);
  EXPECT_FALSE(RolesBroken(plan, TensorType::kIQ4_NL)) << "283 tokens are no multiple of four";
  plan.vocabulary = TokenizerKind::kBytePairs;
  for (const TensorType type : {TensorType::kQ4_0, TensorType::kIQ4_NL, TensorType::kMXFP4}) {
    EXPECT_TRUE(RolesBroken(plan, type)) << FindTensorType(static_cast<std::uint32_t>(type))->name;
  }
  EXPECT_FALSE(RolesBroken(plan, TensorType::kQ8_0)) << "64-bit ARM alone repacks it";
  EXPECT_TRUE(RolesBroken(plan, TensorType::kQ8_0, Severity::kWarning));
  EXPECT_FALSE(RolesBroken(plan, TensorType::kQ5_1, Severity::kWarning));
  EXPECT_FALSE(RolesBroken(plan, TensorType::kQ5_1));
  plan.form = ContractForm::kWholeDense;
  EXPECT_FALSE(RolesBroken(plan, TensorType::kIQ4_NL)) << "beside the embedding";
  plan.contract = FindContract("llama");
  EXPECT_FALSE(RolesBroken(plan, TensorType::kIQ4_NL));
}

// RoleBroken returns whether rule tensor-role fires with a further tensor of one row.
bool RoleBroken(LearnedPlan plan, std::string_view name, TensorType type) {
  Model model = MakeLearned(plan);
  Model::Tensor& added = model.Add(name, type, {64});
  FillLearned(added);
  model.LayOut();
  return std::ranges::count(testing::Judge(model).AllRules(Severity::kError), "tensor-role") > 0;
}

// llama.cpp v0.5.0 looks these up, but the first forms lack them. It aborts in binary_op when it
// decodes with a bias that is not F32 (ask-llama; src/learn/extras.py).
TEST(TensorRole, HoldsForTensorsOfFurtherForms) {
  const LearnedPlan llama = PlanOf("llama", ContractForm::kDense);
  for (const char* name : {"blk.0.attn_q.bias", "blk.1.attn_k.bias", "blk.0.attn_q.scale"}) {
    EXPECT_TRUE(RoleBroken(llama, name, TensorType::kF16)) << name;
    EXPECT_TRUE(RoleBroken(llama, name, TensorType::kI32)) << name;
    EXPECT_FALSE(RoleBroken(llama, name, TensorType::kF32)) << name;
  }
  EXPECT_FALSE(RoleBroken(llama, "blk.0.attn_q.input_scale", TensorType::kF16))
      << "nothing reads it";
}

// No form of a tiny model has layers that predict further tokens.
TEST(TensorRole, OfWhatIsLookedUpAndWasNotMeasured) {
  const LearnedPlan plan = PlanOf("hy_v3", ContractForm::kExperts);
  EXPECT_TRUE(RoleBroken(plan, "blk.1.nextn.enorm.weight", TensorType::kF16));
  EXPECT_FALSE(RoleBroken(plan, "blk.1.nextn.enorm.weight", TensorType::kF32));
  EXPECT_TRUE(RoleBroken(plan, "blk.1.nextn.eh_proj.weight", TensorType::kI32));
  EXPECT_FALSE(RoleBroken(plan, "blk.1.nextn.eh_proj.weight", TensorType::kF16));
}

TEST(TensorMissing, OfOneLayerOrOfAllOrOfTheModel) {
  Model model = Llama();
  DropTensor(model, "blk.1.ffn_norm.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("blk.1.ffn_norm.weight"));
  EXPECT_EQ(WordingOf(testing::Judge(model).Only(RuleId::kTensorMissing)),
            TensorMissingWording::kTensor);
  DropTensor(model, "blk.0.ffn_norm.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("blk.*.ffn_norm.weight"));
  DropTensor(model, "output_norm.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing),
              ElementsAre("output_norm.weight", "blk.*.ffn_norm.weight"));
}

TEST(TensorMissing, NotWhereAnotherStandsIn) {
  Model model = Llama(ContractForm::kWholeDense);  // queries, keys and values together
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), IsEmpty());
  DropTensor(model, "blk.0.attn_norm.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("blk.0.attn_norm.weight"));
}

TEST(TensorMissing, OfALayerThatPredictsFurtherTokens) {
  Model model = MakeLearned(PlanOf("glm4", ContractForm::kDense));
  model.Set("glm4.block_count", std::uint32_t{3})
      .Set("glm4.nextn_predict_layers", std::uint32_t{1});
  const auto judged = testing::Judge(model);
  EXPECT_EQ(WordingOf(judged.Only(RuleId::kTensorMissing)), TensorMissingWording::kNextLayer);
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("blk.2.attn_norm.weight"));
  model.Set("glm4.block_count", std::uint32_t{2})
      .Set("glm4.nextn_predict_layers", std::uint32_t{0});
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), IsEmpty());
}

// WithNextLayers returns a glm4 whose last `layers` of two layers predict further tokens.
Model WithNextLayers(std::uint32_t layers) {
  Model model = MakeLearned(PlanOf("glm4", ContractForm::kDense));
  model.Set("glm4.nextn_predict_layers", layers);
  for (std::uint32_t layer = 2 - layers; layer < 2; ++layer) {
    const std::string prefix = "blk." + std::to_string(layer) + ".nextn.";
    for (const char* name : {"eh_proj.weight", "enorm.weight", "hnorm.weight"}) {
      model.Add(prefix + name, TensorType::kF32, {64});
    }
  }
  Reshape(model, "blk.1.nextn.eh_proj.weight", {128, 64});
  if (layers == 2) Reshape(model, "blk.0.nextn.eh_proj.weight", {128, 64});
  return model;
}

TEST(TensorMissing, OfALayerThatPredictsFurtherTokensInPart) {
  EXPECT_THAT(Warnings(WithNextLayers(1)), IsEmpty());
  for (const char* name : {"eh_proj.weight", "enorm.weight", "hnorm.weight"}) {
    Model model = WithNextLayers(1);
    const std::string absent = "blk.1.nextn." + std::string(name);
    DropTensor(model, absent);
    EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre(absent));
  }
}

// All layers predict: the loader has no layer to decode with, and no buffers.
TEST(LayerCounts, AllLayersPredictFurtherTokens) {
  const auto rules = testing::Judge(WithNextLayers(2)).AllRules(Severity::kError);
  EXPECT_THAT(rules, ElementsAre("layer-counts"));
  // If a tensor is absent, the loader refuses the file before.
  Model model = WithNextLayers(2);
  DropTensor(model, "blk.0.nextn.enorm.weight");
  const Finding finding = testing::Judge(model).Only(RuleId::kLayerCounts);
  EXPECT_EQ(std::get<std::string>(finding.other), "refuses the file");
  for (const char* architecture : {"bailingmoe2", "exaone4", "qwen35", "qwen35moe", "qwen3next"}) {
    const ContractForms forms = FormsOf(*FindContract(architecture));
    const bool dense = forms.Has(ContractForm::kDense);
    const bool whole = forms.Has(ContractForm::kWholeDense);
    Model other = MakeLearned(PlanOf(architecture, dense   ? ContractForm::kDense
                                                   : whole ? ContractForm::kWholeDense
                                                           : ContractForm::kWholeExperts));
    other.Set(std::string(architecture) + ".nextn_predict_layers", std::uint32_t{2});
    EXPECT_THAT(testing::Judge(other).AllRules(Severity::kError), Contains("layer-counts"))
        << architecture;
  }
}

TEST(HyperparameterMissing, TheVocabularyHasAModel) {
  Model model = Llama();
  LeaveOut(model, "tokenizer.ggml.model");
  EXPECT_THAT(ToldAbsent(model, RuleId::kHyperparameterMissing),
              ElementsAre("tokenizer.ggml.model"));
}

TEST(HyperparameterMissing, OfWhatIsNoModel) {
  Model stub;
  stub.Set(kArchitectureKey, "llama");
  EXPECT_THAT(ToldAbsent(stub, RuleId::kHyperparameterMissing), IsEmpty());
  stub.Set("llama.block_count", std::uint32_t{2}).Set("llama.context_length", std::uint32_t{8});
  EXPECT_THAT(ToldAbsent(stub, RuleId::kHyperparameterMissing),
              ElementsAre("llama.embedding_length"));
}

// A condition describes the loader's behaviour; if the loader refuses the file before, the finding
// says so.
TEST(Conditions, SayThatTheLoaderRefusesFirst) {
  const auto ending = [](const Model& model) {
    return std::get<std::string>(testing::Judge(model).Only(RuleId::kEpsilon).other);
  };
  Model model = Llama();
  model.Set("llama.attention.layer_norm_rms_epsilon", -1.0F);
  EXPECT_EQ(ending(model), "aborts when it decodes");
  DropTensor(model, "blk.0.ffn_norm.weight");
  EXPECT_EQ(ending(model), "refuses the file");
}

TEST(Conditions, AreSilentAboutAnAbsentKey) {
  Model model = MakeLearned(PlanOf("rwkv7", ContractForm::kDense));
  LeaveOut(model, "rwkv7.wkv.head_size");
  EXPECT_THAT(testing::Judge(model).AllRules(Severity::kError), IsEmpty());
  EXPECT_THAT(Warnings(model), Contains("hyperparameter-missing"));
}

TEST(TensorMissing, NotInTheFirstOfTwoShards) {
  Model model = Llama();
  DropTensor(model, "blk.1.ffn_norm.weight");
  model.Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", std::int32_t{40});
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), IsEmpty());
}

TEST(TensorUnknown, OfANameThatIsNotLookedUp) {
  Model model = Llama();
  const auto output = std::ranges::find(model.tensors, "output_norm.weight", &Model::Tensor::name);
  ASSERT_NE(output, model.tensors.end());
  output->name = "output_norm_2.weight";
  EXPECT_THAT(Warnings(model), ElementsAre("tensor-missing", "tensor-unknown"));
  const Finding finding = testing::Judge(model).Only(RuleId::kTensorUnknown);
  EXPECT_EQ(finding.subject.name, "output_norm_2.weight");
  EXPECT_EQ(std::get<std::string>(finding.observed), "llama");
}

TEST(TensorUnknown, OfALayerThatPredictsWhereTheArchitectureHasNone) {
  Model model = Llama();
  model.Set("llama.nextn_predict_layers", std::uint32_t{1});
  const Finding finding = testing::Judge(model).Only(RuleId::kTensorUnknown);
  EXPECT_EQ(WordingOf(finding), TensorUnknownWording::kNextLayer);
  EXPECT_EQ(finding.subject.name, "blk.1.attn_norm.weight");
  EXPECT_EQ(std::get<std::uint64_t>(finding.other), 9U);
  std::erase_if(model.tensors, [](const auto& t) { return t.name.starts_with("blk.1."); });
  model.LayOut();
  EXPECT_THAT(Warnings(model), IsEmpty());
}

TEST(TensorUnknown, OfScalesInALayerThatPredicts) {
  for (const char* name : {"attn_output.scale", "ffn_down.input_scale"}) {
    Model model = WithNextLayers(1);
    model.Add("blk.1." + std::string(name), TensorType::kF32, {1});
    const Finding finding = testing::Judge(model).Only(RuleId::kTensorUnknown);
    EXPECT_EQ(WordingOf(finding), TensorUnknownWording::kNextScale);
    Model other = WithNextLayers(1);
    other.Add("blk.0." + std::string(name), TensorType::kF32, {1});
    EXPECT_THAT(Warnings(other), IsEmpty()) << name;
  }
}

// v0.5.0 looks up the scales of a tensor "nextn" in some architectures only.
TEST(TensorUnknown, OfScalesOfTheHeadThatPredicts) {
  for (const bool looked_up : {true, false}) {
    const std::string architecture = looked_up ? "step35" : "glm4moe";
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kExperts));
    model.Set(architecture + ".nextn_predict_layers", std::uint32_t{1});
    model.Add("blk.1.nextn.shared_head_head.scale", TensorType::kF32, {1});
    const auto rules = testing::Judge(model).AllRules(Severity::kWarning);
    EXPECT_EQ(std::ranges::count(rules, "tensor-unknown"), looked_up ? 0 : 1) << architecture;
  }
}

// gemma3 has no widths for the projections, so the loader wants rows without elements.
TEST(TensorUnknown, OfATensorWhoseShapeHasADimensionOfZero) {
  for (const char* architecture : {"gemma3", "gemma-embedding"}) {
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kDense));
    const std::string prefix = architecture + std::string(".dense_");
    for (const char* width : {"2_feat_in", "3_feat_out"}) model.Set(prefix + width, 64U);
    for (const char* width : {"2_feat_out", "3_feat_in"}) model.Set(prefix + width, 32U);
    model.Add("dense_2.weight", TensorType::kF32, {64, 32});
    const bool sizeless = std::string_view(architecture) == "gemma3";
    EXPECT_THAT(Warnings(model), Contains(sizeless ? "tensor-unknown" : "tensor-used"));
    model.Add("dense_3.weight", TensorType::kF32, {32, 64});
    if (sizeless) continue;
    EXPECT_THAT(Warnings(model), IsEmpty());
  }
}

// b10361 makes all layers of falcon alike.
TEST(TensorUnknown, NotOfScalesWhereALayerThatPredictsIsLikeOthers) {
  for (const char* release : {"llama.cpp b10361", "llama.cpp v0.5.0"}) {
    SCOPED_TRACE(release);
    const ContractTable* const table = ContractTable::FindLearned(release);
    Model model = MakeLearned({.contract = table->Find("falcon"), .form = ContractForm::kDense});
    model.Set("falcon.nextn_predict_layers", std::uint32_t{1});
    model.Add("blk.1.attn_output.scale", TensorType::kF32, {1});
    Policy policy = PolicyFor(Profile::kLlamaCpp);
    policy.loaders = {std::make_shared<const ContractTable>(*table)};
    const auto rules = testing::Judge(model, policy).AllRules(Severity::kWarning);
    EXPECT_EQ(std::ranges::count(rules, "tensor-unknown"), table == &ContractTable::CompiledIn());
  }
  Model model = MakeLearned(PlanOf("deepseek4", ContractForm::kExperts));
  model.Set("deepseek4.nextn_predict_layers", std::uint32_t{1});
  model.Add("blk.1.ffn_down_exps.scale", TensorType::kF32, {4});
  EXPECT_THAT(Warnings(model), Not(Contains("tensor-unknown")));
}

// Ollama keeps the projector of a model in the same file.
TEST(TensorUnknown, OfAProjectorIsOneFinding) {
  for (const char* architecture : {"gemma4", "llama"}) {
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kDense));
    for (const char* name : {"v.blk.0.attn_q.weight", "a.blk.0.ffn_up.weight", "mm.0.weight"}) {
      model.Add(name, TensorType::kF32, {8});
    }
    const testing::Judged judged = testing::Judge(model);
    const auto found =
        std::ranges::count(judged.checked.findings.list, RuleId::kTensorUnknown, &Finding::rule);
    const Finding first = judged.Only(RuleId::kTensorUnknown);
    if (std::string_view(architecture) == "gemma4") {
      EXPECT_EQ(found, 1);
      EXPECT_EQ(WordingOf(first), TensorUnknownWording::kJoined);
      EXPECT_EQ(std::get<std::uint64_t>(first.other), 3U);
    } else {
      EXPECT_EQ(found, 3);
      EXPECT_EQ(WordingOf(first), TensorUnknownWording::kName);
    }
  }
}

TEST(HyperparameterMissing, OllamaDoesWithoutSections) {
  Model model = MakeLearned(PlanOf("qwen35moe", ContractForm::kWholeExperts));
  LeaveOut(model, "qwen35moe.rope.dimension_sections");
  const Finding finding = testing::Judge(model).Only(RuleId::kHyperparameterMissing);
  EXPECT_EQ(WordingOf(finding), HyperparameterMissingWording::kOllama);
  model = Llama();
  LeaveOut(model, "llama.attention.layer_norm_rms_epsilon");
  EXPECT_EQ(WordingOf(testing::Judge(model).Only(RuleId::kHyperparameterMissing)),
            HyperparameterMissingWording::kKey);
}

// The loader copies exactly four sections; Ollama writes three.
TEST(HyperparameterMissing, FourSections) {
  using Sections = std::vector<std::int32_t>;
  for (const char* architecture : {"qwen35", "glm4"}) {
    SCOPED_TRACE(architecture);
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kWholeDense));
    const std::string key = std::string(architecture) + ".rope.dimension_sections";
    model.Set(key, Sections{8, 4, 4});
    const Finding finding = testing::Judge(model).Only(RuleId::kHyperparameterMissing);
    const bool ollama = std::string_view(architecture) == "qwen35";
    EXPECT_EQ(WordingOf(finding), ollama ? HyperparameterMissingWording::kOllamaLength
                                         : HyperparameterMissingWording::kLength);
    EXPECT_TRUE(testing::Judge(model).Accepted());
    model.Set(key, Sections{8, 4});
    EXPECT_EQ(WordingOf(testing::Judge(model).Only(RuleId::kHyperparameterMissing)),
              HyperparameterMissingWording::kLength);
    model.Set(key, Sections{8, 4, 4, 0});
    EXPECT_THAT(Warnings(model), IsEmpty());
  }
}

// One head of keys and values, and no widths of those that it stands for: ik_llama.cpp takes 192
// and 128.
TEST(HeadWidths, OfIkLlamaCppIsAWarning) {
  Model model = MakeLearned(PlanOf("deepseek2", ContractForm::kExperts));
  for (const char* key : {"key_length_mla", "value_length_mla"}) {
    LeaveOut(model, "deepseek2.attention." + std::string(key));
  }
  const auto set = [&](const char* key, std::uint32_t value) {
    model.Set("deepseek2." + std::string(key), value);
  };
  set("attention.head_count", 4);
  set("attention.head_count_kv", 1);
  set("attention.key_length", 576);
  set("attention.value_length", 512);
  set("rope.dimension_count", 64);
  const Finding finding = testing::Judge(model).Only(RuleId::kHeadWidths);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_NE(std::get<std::string>(finding.other).find("ik_llama.cpp loads it"), std::string::npos);
  EXPECT_TRUE(testing::Judge(model).Accepted());
  set("attention.key_length", 577);
  EXPECT_EQ(testing::Judge(model).Only(RuleId::kHeadWidths).severity, Severity::kError);
}

// A layer that predicts further tokens has no element of this array.
TEST(HyperparameterMissing, AnIndexerTypeForEachLayer) {
  Model model = MakeLearned(PlanOf("hy_v4", ContractForm::kExperts));
  EXPECT_THAT(Warnings(model), IsEmpty());
  model.Set("hy_v4.nextn_predict_layers", std::uint32_t{1});
  const testing::Judged judged = testing::Judge(model);
  EXPECT_EQ(WordingOf(judged.Only(RuleId::kHyperparameterMissing)),
            HyperparameterMissingWording::kLength);
  EXPECT_TRUE(judged.Accepted());
  model.Set("hy_v4.attention.indexer.types", std::vector<std::uint32_t>{1});
  EXPECT_THAT(Warnings(model), Contains("tensor-unknown"));
  EXPECT_TRUE(testing::Judge(model).Accepted());
  model.Set("hy_v4.block_count", std::uint32_t{3});
  model.Set("hy_v4.attention.indexer.types", std::vector<std::uint32_t>{1, 0});
  EXPECT_FALSE(testing::Judge(model).Accepted()) << "llama.cpp aborts when it makes a context";
}

// The loader wants the tensors of such a layer, or refuses earlier for want of a width of experts.
TEST(TensorMissing, OfALayerOfNemotronThatPredicts) {
  for (const char* architecture : {"nemotron_h", "nemotron_h_moe"}) {
    SCOPED_TRACE(architecture);
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kWholeDense));
    const std::string key = std::string(architecture) + ".nextn_predict_layers";
    model.Set(key, std::uint32_t{1});
    EXPECT_EQ(WordingOf(testing::Judge(model).Only(RuleId::kTensorMissing)),
              TensorMissingWording::kNextLayer);
    EXPECT_TRUE(testing::Judge(model).Accepted());
  }
}

void SetWindows(Model& model, const std::vector<bool>& windows) {
  Encoder pattern(ByteOrder::kLittle);
  pattern.Put(static_cast<std::uint32_t>(ValueType::kBool)).Put(std::uint64_t{windows.size()});
  for (const bool has_window : windows) pattern.Put(static_cast<std::uint8_t>(has_window));
  model.SetRaw("gemma4.attention.sliding_window_pattern", ValueType::kArray, pattern.Take());
}

// Fine-tuned models lack the keys of layers that use those of other layers (llama.cpp#22048).
TEST(TensorMissing, NotInLayersThatShareKeys) {
  Model model = MakeLearned(PlanOf("gemma4", ContractForm::kDense));
  SetWindows(model, {true, true, true, false, false});
  DropTensor(model, "blk.4.attn_k.weight");
  DropTensor(model, "blk.4.attn_k_norm.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing),
              ElementsAre("blk.4.attn_k.weight", "blk.4.attn_k_norm.weight"));
  model.Set("gemma4.attention.shared_kv_layers", std::uint32_t{1});
  EXPECT_THAT(Warnings(model), IsEmpty());
  DropTensor(model, "blk.3.attn_k.weight");
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("blk.3.attn_k.weight"));
}

// Layers with a window do not use these factors. The loader refuses them if no layer does.
TEST(TensorMissing, OfRopeFactorsIfALayerHasNoWindow) {
  Model model = MakeLearned(PlanOf("gemma4", ContractForm::kDense));
  SetWindows(model, {true, true, true, true, true});
  const Finding finding = testing::Judge(model).Only(RuleId::kTensorUnknown);
  EXPECT_EQ(finding.subject.name, "rope_freqs.weight");
  EXPECT_EQ(WordingOf(finding), TensorUnknownWording::kUnused);
  DropTensor(model, "rope_freqs.weight");
  SetWindows(model, {true, true, false, true, true});
  EXPECT_THAT(ToldAbsent(model, RuleId::kTensorMissing), ElementsAre("rope_freqs.weight"));
  SetWindows(model, {true, true, true, true, true});
  EXPECT_THAT(Warnings(model), ElementsAre("context-shift"));
}

// The contract knows a model of five layers.
TEST(ShapeRefused, CountsTheLayersOfTheFile) {
  Model model = MakeLearned(PlanOf("gemma4", ContractForm::kDense));
  const std::vector<Model::Tensor> tensors = model.tensors;
  for (Model::Tensor tensor : tensors) {
    if (!tensor.name.starts_with("blk.3.")) continue;
    model.tensors.push_back(std::move(tensor));
    model.tensors.back().name.replace(4, 1, "5");
  }
  model.LayOut();
  model.Set("gemma4.block_count", std::uint32_t{6});
  SetWindows(model, {true, true, true, true, false, true});
  EXPECT_THAT(Warnings(model), Contains("shape-refused"));
  const std::uint64_t tokens = model.tensors.front().dims.at(1);
  Reshape(model, "per_layer_token_embd.weight", {6 * 32, tokens});
  Reshape(model, "per_layer_model_proj.weight", {64, 6 * 32});
  EXPECT_THAT(Warnings(model), IsEmpty());
}

// The loader does not count layers that predict further tokens.
TEST(ShapeRefused, OfLayersThatPredict) {
  for (const char* architecture : {"gemma3n", "gemma4"}) {
    SCOPED_TRACE(architecture);
    Model model = MakeLearned(PlanOf(architecture, ContractForm::kDense));
    EXPECT_THAT(Warnings(model), IsEmpty());
    model.Set(std::string(architecture) + ".nextn_predict_layers", std::uint32_t{1});
    const testing::Judged judged = testing::Judge(model);
    EXPECT_TRUE(judged.Accepted());
    EXPECT_THAT(judged.AllRules(Severity::kWarning), Contains("shape-refused"));
  }
}

TEST(ShapeRefused, SaysWhatTheShapeFollowsFrom) {
  Model model = Llama();
  Reshape(model, "blk.1.attn_k.weight", {64, 32});
  const Finding finding = testing::Judge(model).Only(RuleId::kShapeRefused);
  EXPECT_EQ(std::get<std::uint64_t>(finding.observed), 32U);
  EXPECT_EQ(std::get<std::string>(finding.allowed), "kv_heads*key_width is 64");
  EXPECT_EQ(std::get<std::uint64_t>(finding.other), 1U);
  EXPECT_THAT(Warnings(model), ElementsAre("shape-refused"));
  model.Set("llama.attention.head_count_kv", std::uint32_t{1});
  Reshape(model, "blk.0.attn_k.weight", {64, 32});
  for (const char* name : {"blk.0.attn_v.weight", "blk.1.attn_v.weight"}) {
    Reshape(model, name, {64, 32});
  }
  EXPECT_THAT(Warnings(model), IsEmpty()) << "one head of keys and values";
}

// llama.cpp#6437: converted without the number of heads of keys and values.
TEST(ShapeRefused, WithoutHeadsOfKeysAndValuesThereIsOneForEach) {
  Model model = Llama();
  LeaveOut(model, "llama.attention.head_count_kv");
  EXPECT_THAT(Warnings(model), IsEmpty());
  Reshape(model, "blk.0.attn_k.weight", {64, 32});
  EXPECT_THAT(Warnings(model), ElementsAre("shape-refused"));
}

TEST(ShapeRefused, AsksEachLayerWhereLayersDiffer) {
  Model model = MakeLearned(PlanOf("deci", ContractForm::kDense));
  model.Set("deci.feed_forward_length", std::vector<std::uint32_t>{96, 32});
  EXPECT_EQ(testing::Judge(model).Only(RuleId::kShapeRefused).subject.name,
            "blk.1.ffn_gate.weight");
  Reshape(model, "blk.1.ffn_gate.weight", {64, 32});
  Reshape(model, "blk.1.ffn_up.weight", {64, 32});
  Reshape(model, "blk.1.ffn_down.weight", {32, 64});
  EXPECT_THAT(Warnings(model), IsEmpty());
}

TEST(ShapeRefused, TakesAbsentDimensionsForOne) {
  Model model = Llama();
  Reshape(model, "output_norm.weight", {64, 1, 1});
  EXPECT_THAT(Warnings(model), IsEmpty());
  Reshape(model, "output_norm.weight", {64, 2});
  EXPECT_THAT(Warnings(model), ElementsAre("shape-refused"));
}

TEST(ShapeRefused, IsSilentWithoutTheVocabulary) {
  Model model = Llama();
  Reshape(model, "token_embd.weight", {64, 7});
  EXPECT_THAT(Warnings(model), Contains("shape-refused"));
  std::erase_if(model.metadata,
                [](const Model::Entry& entry) { return entry.key.starts_with("tokenizer."); });
  EXPECT_THAT(Warnings(model), Not(Contains("shape-refused")));
}

}  // namespace
}  // namespace ggufgate::mutate

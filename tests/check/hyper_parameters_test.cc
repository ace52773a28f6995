// Rules about the hyper-parameters of an architecture.

#include "check/hyper_parameters.h"

#include <gmock/gmock.h>

#include <string>

#include "format/architecture.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"
#include "words/message.h"

namespace ggufgate::testing {
namespace {

// Named has one key after the architecture: entry 1.
template <typename T>
Model Named(const std::string& architecture, const std::string& name, T value) {
  Model model;
  model.Set(kArchitectureKey, architecture);
  model.Set(architecture + "." + name, value);
  return model;
}

using U32s = std::vector<std::uint32_t>;

TEST(ArchitectureMissing, IsAWarning) {
  const Model model = Model().Set("k", std::uint8_t{1});
  EXPECT_THAT(Judge(model).AllRules(), ElementsAre("architecture-missing"));
  const Finding finding = Judge(model).Only(RuleId::kArchitectureMissing);
  EXPECT_EQ(finding.where, (ByteRange{16, 8}));
  EXPECT_EQ(Describe(finding.subject), "header");
  EXPECT_EQ(Severities(model, RuleId::kArchitectureMissing), "warning warning warning");
  EXPECT_THAT(Judge(Model::Minimal()).AllRules(), IsEmpty());
  EXPECT_THAT(Judge(Model().Set("general.type", "model")).AllRules(),
              ElementsAre("architecture-missing"));
  EXPECT_THAT(Judge(Model().Set("split.no", std::uint16_t{0})).AllRules(),
              ElementsAre("architecture-missing"));
}

// stable-diffusion.cpp and candle write such files.
TEST(ArchitectureMissing, NotWithoutAnyMetadata) {
  Model model;
  model.Add("first_stage_model.decoder.conv_in.weight", TensorType::kF16, {3, 3, 4, 512});
  model.Add("quantised", TensorType::kQ8_0, {32});
  EXPECT_THAT(Judge(model).AllRules(), IsEmpty());
  model.Set("k", std::uint8_t{1});
  EXPECT_THAT(Judge(model).AllRules(),
              ElementsAre("architecture-missing", "quantization-version-missing"));
}

TEST(ArchitectureMissing, NotInShardsAndSidecarsNorBehindAFault) {
  const Model shard =
      Model().Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2});
  EXPECT_THAT(Judge(shard).AllRules(), IsEmpty());
  EXPECT_THAT(Judge(Model().Set("general.architecture", "llama")).AllRules(), IsEmpty());
  std::vector<std::uint8_t> cut = Write(Model().Set("k", std::uint8_t{1}));
  cut.pop_back();
  EXPECT_THAT(Judge(cut).AllRules(), ElementsAre("truncated-metadata"));
}

// Tensors identify the sidecars of models.
TEST(ArchitectureMissing, NotOfTensorsThatGoWithAModel) {
  for (const std::string name : {"a.weight.in_sum2", "a.weight.counts", "direction.1"}) {
    Model model = Model().Set("k", std::uint8_t{1});
    model.Add(name, TensorType::kF32, {8});
    EXPECT_THAT(Judge(model).AllRules(), IsEmpty()) << name;
    model.Add("output.weight", TensorType::kF32, {8});
    EXPECT_THAT(Judge(model).AllRules(), ElementsAre("architecture-missing")) << name;
  }
  Model adapter = Model().Set("k", std::uint8_t{1});
  adapter.Add("a.weight.lora_a", TensorType::kF32, {8});
  adapter.Add("a.weight.lora_b", TensorType::kF32, {1, 8});
  adapter.Add("a_norm.weight", TensorType::kF32, {8});
  EXPECT_THAT(Judge(adapter).AllRules(), IsEmpty());
  adapter.tensors.resize(2);
  adapter.Add("a.weight", TensorType::kF32, {8});
  EXPECT_THAT(Judge(adapter).AllRules(), ElementsAre("architecture-missing"));
  Model norms = Model().Set("k", std::uint8_t{1});
  norms.Add("a_norm.weight", TensorType::kF32, {8});
  EXPECT_THAT(Judge(norms).AllRules(), ElementsAre("architecture-missing"));
}

// The key may have any value.
TEST(ArchitectureMissing, WhateverAKeySaysThatTheFileIs) {
  for (const char* type : {"adapter", "mmproj", "imatrix", "x", ""}) {
    EXPECT_THAT(Judge(Model().Set("general.type", type)).AllRules(),
                ElementsAre("architecture-missing"))
        << type;
  }
  EXPECT_THAT(Judge(Model().Set("split.no", std::uint16_t{1})).AllRules(),
              ElementsAre("architecture-missing"));
  EXPECT_THAT(Judge(Model().Set("split.count", std::uint16_t{2})).AllRules(),
              ElementsAre("architecture-missing"));
}

TEST(ArchitectureUnknown, IsAWarning) {
  const Model model = Model().Set(kArchitectureKey, "newest");
  EXPECT_THAT(Judge(model).AllRules(), ElementsAre("architecture-unknown"));
  const Finding finding = Judge(model).Only(RuleId::kArchitectureUnknown);
  EXPECT_THAT(finding, Tells({ValueAt(model, 0) + 8, 6}, Text("newest")));
  EXPECT_EQ(WordingOf(finding), ArchitectureUnknownWording::kUnknown);
  EXPECT_EQ(Severities(model, RuleId::kArchitectureUnknown), "warning error off");
  EXPECT_EQ(Severities(Model(model).Set("general.type", "adapter"), RuleId::kArchitectureUnknown),
            "warning error off");
  Model shard = model;
  shard.Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2});
  EXPECT_EQ(Severities(shard, RuleId::kArchitectureUnknown), "note note off");
  Model vectors = model;
  vectors.Add("direction.1", TensorType::kF32, {8});
  EXPECT_EQ(Severities(vectors, RuleId::kArchitectureUnknown), "note note off");
  EXPECT_THAT(Judge(Model().Set(kArchitectureKey, "mamba")).AllRules(), IsEmpty());
}

// Profile llama.cpp reports files that llama.cpp refuses.
TEST(ArchitectureUnknown, ThoseOfImageModelsAreKnown) {
  for (const char* name : {"flux", "sd1", "sdxl", "sd3", "aura", "hidream", "cosmos", "hyvid",
                           "wan", "ltxv", "lumina2", "qwen_image"}) {
    const Model model = Model().Set(kArchitectureKey, name);
    EXPECT_THAT(Judge(model).AllRules(), IsEmpty()) << name;
    EXPECT_EQ(Severities(model, RuleId::kArchitectureUnknown), "off error off") << name;
    EXPECT_EQ(
        WordingOf(Judge(model, PolicyFor(Profile::kLlamaCpp)).Only(RuleId::kArchitectureUnknown)),
        ArchitectureUnknownWording::kImageModel);
  }
}

TEST(ArchitectureUnknown, OllamasIsUnknownToLlamaCpp) {
  const Model model = Model().Set(kArchitectureKey, "mllama");
  EXPECT_THAT(Judge(model).AllRules(), IsEmpty());
  EXPECT_EQ(Severities(model, RuleId::kArchitectureUnknown), "off error off");
}

TEST(ArchitectureUnknown, ANewerBuildKnowsIt) {
  const Model model = Model().Set(kArchitectureKey, "lfm3");
  EXPECT_EQ(Severities(model, RuleId::kArchitectureUnknown), "warning error off");
  const Finding finding = Judge(model).Only(RuleId::kArchitectureUnknown);
  EXPECT_EQ(WordingOf(finding), ArchitectureUnknownWording::kNewer);
  EXPECT_THAT(MessageFor(finding), HasSubstr(std::string(kNewerBuild)));
}

// llama.cpp knows them, but no model of them ran.
TEST(ArchitectureUnknown, NoModelOfItRan) {
  for (const char* name : {"chameleon", "plm", "gptj"}) {
    const Model model = Model().Set(kArchitectureKey, name);
    EXPECT_EQ(Severities(model, RuleId::kArchitectureUnknown), "warning error off") << name;
    EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kArchitectureUnknown)),
              ArchitectureUnknownWording::kUnmeasured);
  }
  EXPECT_THAT(Judge(Model().Set(kArchitectureKey, "eagle3")).AllRules(), IsEmpty());
}

// Loaders ignore labels, so a wrong type is only a note.
TEST(HyperparameterType, OfALabelIsANote) {
  const Model model = Model::Minimal().Set("general.tags", "text-generation");
  EXPECT_EQ(Severities(model, RuleId::kHyperparameterType), "note note note");
  EXPECT_EQ(Judge(model).Only(RuleId::kHyperparameterType).allowed, Text("an array of strings"));
  EXPECT_THAT(Judge(Model::Minimal()
                        .Set("general.tags", std::vector<std::string>{"text-generation"})
                        .Set("general.size_label", "8B")
                        .Set("general.base_model.0.name", "Llama"))
                  .AllRules(Severity::kNote),
              IsEmpty());
  EXPECT_EQ(Severities(Model::Minimal().Set("general.base_model.0.name", std::uint8_t{1}),
                       RuleId::kHyperparameterType),
            "note note note");
}

TEST(HyperparameterType, NamesBothTypes) {
  const Model model = Named("llama", "block_count", "2");
  const Finding finding = SoleFinding(model, RuleId::kHyperparameterType);
  EXPECT_THAT(finding, Tells({TypeAt(model, 1), 4}, Text("string"), Text("an integer")));
  EXPECT_EQ(Describe(finding.subject), "metadata 1 \"llama.block_count\"");
  EXPECT_EQ(Severities(model, RuleId::kHyperparameterType), "error error error");
  EXPECT_THAT(RulesFired(Named("llama", "block_count", std::uint64_t{2})), IsEmpty());
}

TEST(HyperparameterType, OfATokenizersNameAndSwitches) {
  const auto fires = [](const Model& model) {
    return TotalOf(Judge(model), RuleId::kHyperparameterType);
  };
  for (const char* key : {"tokenizer.ggml.model", "tokenizer.ggml.pre"}) {
    EXPECT_EQ(fires(Model::Minimal().Set(key, std::uint32_t{1})), 1U) << key;
    EXPECT_EQ(fires(Model::Minimal().Set(key, "none")), 0U) << key;
  }
  for (const char* key : {"tokenizer.ggml.add_bos_token", "tokenizer.ggml.add_space_prefix"}) {
    EXPECT_EQ(fires(Model::Minimal().Set(key, std::uint8_t{1})), 1U) << key;
    EXPECT_EQ(fires(Model::Minimal().Set(key, true)), 0U) << key;
  }
  // Other rules report these.
  EXPECT_EQ(fires(Model::Minimal().Set("tokenizer.ggml.bos_token_id", 1.0F)), 0U);
  EXPECT_EQ(fires(Model::Minimal().Set("tokenizer.ggml.tokens", std::uint32_t{1})), 0U);
  EXPECT_EQ(fires(Model::Minimal().Set("tokenizer.chat_template", std::uint32_t{1})), 0U);
}

std::vector<std::string> Errors(const Model& model) { return Judge(model).Rules(Severity::kError); }

TEST(HyperparameterType, OfEveryArchitectureAndOfNoOther) {
  EXPECT_THAT(Errors(Named("newest", "rope.freq_base", 1e4)), ElementsAre("hyperparameter-type"));
  EXPECT_THAT(Errors(Named("newest", "rope.freq_base", 1e4F)), IsEmpty());
  EXPECT_THAT(Errors(Named("newest", "of.its.own", "2")), IsEmpty());
  EXPECT_THAT(RulesFired(Model::Minimal().Set("llama.block_count", "2")), IsEmpty());
  EXPECT_THAT(RulesFired(Model().Set(kArchitectureKey, std::uint32_t{1})),
              ElementsAre("hyperparameter-type"));
  EXPECT_THAT(RulesFired(Model::Minimal().Set("adapter.lora.alpha", std::uint32_t{1})),
              ElementsAre("hyperparameter-type"));
}

TEST(BlockCount, OneTo512) {
  for (const std::uint32_t count : {0U, 513U, UINT32_MAX}) {
    const Model model = Named("newest", "block_count", count);
    EXPECT_THAT(Errors(model), ElementsAre("block-count")) << count;
    EXPECT_THAT(Judge(model).Only(RuleId::kBlockCount),
                Tells({ValueAt(model, 1), 4}, Number(count), Number(512)));
    EXPECT_EQ(Severities(model, RuleId::kBlockCount), "error error warning");
  }
  const Model negative = Named("llama", "block_count", std::int32_t{-1});
  EXPECT_EQ(Judge(negative).Only(RuleId::kBlockCount).observed, Text("-1"));
  EXPECT_THAT(RulesFired(Named("llama", "block_count", std::uint32_t{1})), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "block_count", std::uint32_t{512})), IsEmpty());
}

// The loader allocates as many layers as the decoder states: measured with t5.
TEST(BlockCount, OfADecoderUpTo512) {
  for (const std::uint32_t count : {513U, 1U << 20, 1U << 21}) {
    const Model model = Named("newest", "decoder_block_count", count);
    EXPECT_THAT(Errors(model), ElementsAre("block-count")) << count;
    const Finding finding = Judge(model).Only(RuleId::kBlockCount);
    EXPECT_EQ(finding.observed, Number(count));
    EXPECT_EQ(finding.other, Number(0));
  }
  for (const std::uint32_t count : {0U, 1U, 512U}) {
    EXPECT_THAT(Errors(Named("newest", "decoder_block_count", count)), IsEmpty()) << count;
  }
}

TEST(HeadCount, NoneWhereEveryLayerAttends) {
  const Model model = Named("llama", "attention.head_count", std::uint32_t{0});
  const Finding finding = SoleFinding(model, RuleId::kHeadCount);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1), 4}, Number(0)));
  EXPECT_EQ(WordingOf(finding), HeadCountWording::kNone);
  EXPECT_EQ(Severities(model, RuleId::kHeadCount), "error error warning");
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count", std::int32_t{-1})),
              ElementsAre("head-count"));
  for (const char* other : {"mamba", "rwkv6", "rwkv7", "jamba", "newest"}) {
    EXPECT_THAT(Errors(Named(other, "attention.head_count", std::uint32_t{0})), IsEmpty());
  }
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count", U32s{0, 0})), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count", std::uint32_t{1})), IsEmpty());
}

TEST(HeadCount, DividesTheWidthUnlessTheKeysHaveOne) {
  Model model = Named("llama", "attention.head_count", std::uint32_t{3});
  model.Set("llama.embedding_length", std::uint32_t{8});
  const Finding finding = SoleFinding(model, RuleId::kHeadCount);
  EXPECT_EQ(WordingOf(finding), HeadCountWording::kUneven);
  EXPECT_EQ(finding.observed, Number(3));
  EXPECT_EQ(finding.other, Number(8));
  EXPECT_THAT(RulesFired(Model(model).Set("llama.embedding_length", std::uint32_t{9})), IsEmpty());
  EXPECT_THAT(RulesFired(Model(model).Set("llama.attention.key_length", std::uint32_t{4})),
              IsEmpty());
  Model latent = Named("deepseek2", "attention.head_count", std::uint32_t{3});
  EXPECT_THAT(RulesFired(latent.Set("deepseek2.embedding_length", std::uint32_t{8})), IsEmpty());
}

TEST(DivisorZero, GoesByTheArchitecture) {
  const Model model = Named("qwen35", "full_attention_interval", std::uint32_t{0});
  EXPECT_THAT(SoleFinding(model, RuleId::kDivisorZero), Tells({ValueAt(model, 1), 4}, Number(0)));
  EXPECT_EQ(Severities(model, RuleId::kDivisorZero), "error error warning");
  const std::uint32_t zero = 0;
  EXPECT_THAT(RulesFired(Named("mamba2", "ssm.time_step_rank", zero)), ElementsAre("divisor-zero"));
  EXPECT_THAT(RulesFired(Named("mamba2", "ssm.group_count", zero)), ElementsAre("divisor-zero"));
  EXPECT_THAT(RulesFired(Named("rwkv6", "wkv.head_size", zero)), ElementsAre("divisor-zero"));
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count_kv", zero)),
              ElementsAre("divisor-zero"));
  EXPECT_THAT(RulesFired(Named("mamba", "attention.head_count_kv", zero)), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count_kv", U32s{0})), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama4", "interleave_moe_layer_step", zero)), IsEmpty());
  EXPECT_THAT(RulesFired(Named("qwen35", "full_attention_interval", std::uint32_t{1})), IsEmpty());
  EXPECT_THAT(Errors(Named("newest", "full_attention_interval", zero)), IsEmpty());
}

TEST(PerLayerArrayLength, IsTheNumberOfLayers) {
  const auto with = [](std::size_t length) {
    return Named("llama", "attention.head_count", U32s(length, 1))
        .Set("llama.block_count", std::uint32_t{3});
  };
  for (const std::size_t length : {0U, 2U, 4U, 513U}) {
    const Model model = with(length);
    EXPECT_THAT(RulesFired(model), ElementsAre("per-layer-array-length")) << length;
    const Finding finding = Judge(model).Only(RuleId::kPerLayerArrayLength);
    EXPECT_THAT(finding, Tells({ValueAt(model, 1) + 4, 8}, Number(length), Number(3)));
    EXPECT_EQ(WordingOf(finding), PerLayerArrayLengthWording::kLayers);
    EXPECT_EQ(Severities(model, RuleId::kPerLayerArrayLength), "error error warning");
  }
  EXPECT_THAT(RulesFired(with(3)), IsEmpty());
  const auto predicting = [&](std::size_t length, std::uint32_t extra) {
    return with(length).Set("llama.nextn_predict_layers", extra);
  };
  EXPECT_THAT(RulesFired(predicting(3, 1)), IsEmpty());
  // llama.cpp v0.5.0 requires block_count elements for each of its architectures, regardless of the
  // key.
  for (const std::uint32_t extra : {1U, 2U, 3U, 4U, UINT32_MAX}) {
    for (const std::size_t length : {0U, 1U, 2U, 4U}) {
      EXPECT_THAT(Judge(predicting(length, extra)).AllRules(), Contains("per-layer-array-length"))
          << length << " " << extra;
    }
  }
}

// The only array that it accepts with any length. Converters omit the layers that predict further
// tokens.
TEST(PerLayerArrayLength, OfTheSlidingWindowMayLeaveOutLayersThatPredict) {
  const auto predicting = [](std::size_t length, std::uint32_t extra) {
    return Named("llama", "attention.sliding_window_pattern", U32s(length, 1))
        .Set("llama.block_count", std::uint32_t{3})
        .Set("llama.nextn_predict_layers", extra);
  };
  EXPECT_THAT(RulesFired(predicting(3, 1)), IsEmpty());
  EXPECT_THAT(RulesFired(predicting(2, 1)), IsEmpty());
  EXPECT_THAT(RulesFired(predicting(1, 2)), IsEmpty());
  EXPECT_THAT(RulesFired(predicting(1, 1)), ElementsAre("per-layer-array-length"));
  for (const std::uint32_t extra : {3U, 4U, UINT32_MAX}) {
    EXPECT_THAT(Judge(predicting(0, extra)).AllRules(), Contains("per-layer-array-length"))
        << extra;
  }
}

// A number that is not a u32 may be negative. It was once read as a huge number of layers.
TEST(PerLayerArrayLength, ANegativeNumberOfLayersThatPredictEnds) {
  for (const std::string architecture : {"llama", "jamba", "gemma2", "exaone-moe"}) {
    const Model model = Named(architecture, "nextn_predict_layers", INT64_MIN)
                            .Set(architecture + ".block_count", std::uint32_t{3})
                            .Set(architecture + ".context_length", std::uint32_t{16})
                            .Set(architecture + ".embedding_length", std::uint32_t{16})
                            .Set(architecture + ".attention.head_count", std::uint32_t{2})
                            .Set(architecture + ".attention.head_count_kv", std::uint32_t{2})
                            .Set(architecture + ".attention.sliding_window_pattern", U32s(3, 0));
    EXPECT_THAT(Judge(model).AllRules(), Not(Contains("layer-counts"))) << architecture;
  }
}

TEST(PerLayerArrayLength, WithoutLayersIsBoundedAllTheSame) {
  const Model model = Named("llama", "attention.head_count", U32s(513, 1));
  EXPECT_THAT(RulesFired(model), ElementsAre("per-layer-array-length"));
  EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kPerLayerArrayLength)),
            PerLayerArrayLengthWording::kMost);
  EXPECT_EQ(Judge(model).Only(RuleId::kPerLayerArrayLength).allowed, Number(512));
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count", U32s(512, 1))), IsEmpty());
  // If block_count is wrong, the array gets no finding.
  EXPECT_THAT(RulesFired(Named("llama", "attention.head_count", U32s(3, 1))
                             .Set("llama.block_count", std::uint32_t{0})),
              ElementsAre("block-count"));
}

TEST(PerLayerArrayLength, SectionsOfTheRotationAreFour) {
  const Model model = Named("qwen2vl", "rope.dimension_sections", std::vector<std::int32_t>(5));
  EXPECT_THAT(RulesFired(model), ElementsAre("per-layer-array-length"));
  EXPECT_EQ(Judge(model).Only(RuleId::kPerLayerArrayLength).allowed, Number(4));
  for (const std::size_t length : {0U, 3U, 4U}) {
    EXPECT_THAT(
        RulesFired(Named("qwen2vl", "rope.dimension_sections", std::vector<std::int32_t>(length))),
        IsEmpty());
  }
  // A known key without a number per layer, and an unknown key, may have any length.
  EXPECT_THAT(RulesFired(Named("llama", "attention.key_length", U32s(600, 1))), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "of.its.own", U32s(600, 1))), IsEmpty());
}

template <typename Used>
Model Experts(std::uint32_t count, Used used, const std::string& architecture = "llama") {
  return Named(architecture, "expert_count", count).Set(architecture + ".expert_used_count", used);
}

TEST(ExpertCount, IsBoundedAndCoversTheUsed) {
  const Model many = Experts(1025, std::uint32_t{2});
  EXPECT_THAT(RulesFired(many), ElementsAre("expert-count"));
  EXPECT_EQ(Judge(many).Only(RuleId::kExpertCount).where, (ByteRange{ValueAt(many, 1), 4}));
  EXPECT_EQ(Judge(many).Only(RuleId::kExpertCount).allowed, Number(1024));
  EXPECT_EQ(WordingOf(Judge(many).Only(RuleId::kExpertCount)), ExpertCountWording::kTooMany);
  EXPECT_EQ(Severities(many, RuleId::kExpertCount), "error error warning");

  const Model over = Experts(8, std::uint32_t{9});
  const Finding finding = Judge(over).Only(RuleId::kExpertCount);
  EXPECT_THAT(finding, Tells({ValueAt(over, 2), 4}, Number(9), Number(8)));
  EXPECT_EQ(WordingOf(finding), ExpertCountWording::kTooManyUsed);
  EXPECT_EQ(WordingOf(Judge(Experts(8, std::uint32_t{0})).Only(RuleId::kExpertCount)),
            ExpertCountWording::kNoneUsed);
  EXPECT_EQ(WordingOf(Judge(Experts(0, std::uint32_t{1})).Only(RuleId::kExpertCount)),
            ExpertCountWording::kTooManyUsed);

  EXPECT_THAT(RulesFired(Experts(1024, std::uint32_t{1024})), IsEmpty());
  EXPECT_THAT(RulesFired(Experts(896, std::uint32_t{1})), IsEmpty());
  EXPECT_THAT(RulesFired(Experts(0, std::uint32_t{0})), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "expert_count", std::uint32_t{8})), IsEmpty());
  EXPECT_THAT(RulesFired(Named("llama", "expert_used_count", std::uint32_t{8})), IsEmpty());
}

TEST(ExpertCount, MayDifferFromLayerToLayer) {
  EXPECT_THAT(RulesFired(Experts(8, U32s{0, 8, 2})), IsEmpty());
  const Model over = Experts(8, U32s{0, 9, 2});
  EXPECT_EQ(Describe(Judge(over).Only(RuleId::kExpertCount).subject),
            "metadata 2 \"llama.expert_used_count\" element 1");
  EXPECT_THAT(RulesFired(Experts(8, U32s{0, 0})), ElementsAre("expert-count"));
  // The loader reads -1 in an array as 4,294,967,295, but refuses a scalar for its type.
  const Model negative = Experts(8, std::vector<std::int32_t>{1, -1});
  EXPECT_EQ(Judge(negative).Only(RuleId::kExpertCount).observed, Number(UINT32_MAX));
  EXPECT_THAT(RulesFired(Experts(8, std::vector<std::int32_t>{1, 1})), IsEmpty());
  EXPECT_THAT(RulesFired(Experts(8, std::int32_t{-1})), IsEmpty());
  EXPECT_THAT(RulesFired(Experts(8, "2")), ElementsAre("hyperparameter-type"));
  EXPECT_THAT(RulesFired(Experts(8, U32s(513, 9))), ElementsAre("per-layer-array-length"));
}

TEST(ExpertCount, OneIsNoneForHunyuan) {
  EXPECT_THAT(RulesFired(Experts(1, std::uint32_t{2}, "hunyuan-dense")), IsEmpty());
  EXPECT_THAT(RulesFired(Experts(2, std::uint32_t{3}, "hunyuan-dense")),
              ElementsAre("expert-count"));
}

TEST(HyperParameters, FindKeysOfTheArchitectureOnly) {
  Model model = Named("a.b", "block_count", std::uint32_t{7});
  model.Set("a.block_count", std::uint32_t{1}).Set("a.b_block_count", std::uint32_t{2});
  model.Set("xa.b.block_count", std::uint32_t{3});
  const std::vector<std::uint8_t> file = Write(model);
  const ParseResult parsed = Parse(file, file.size(), {});
  const HyperParameters parameters(parsed.document);
  EXPECT_EQ(parameters.architecture(), "a.b");
  EXPECT_EQ(parameters.Layers(), 7U);
  EXPECT_EQ(parameters.Find("block"), nullptr);
  EXPECT_EQ(parameters.Unsigned("no_such"), std::nullopt);
}

}  // namespace
}  // namespace ggufgate::testing

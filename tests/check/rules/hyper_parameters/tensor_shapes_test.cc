// Rules that hold the tensors against the metadata.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

Model Tiny(std::uint32_t layers = 2) {
  Model model;
  model.Set(kArchitectureKey, "llama").Set("llama.block_count", layers);
  model.Set("llama.embedding_length", std::uint32_t{8}).Set("llama.vocab_size", std::uint32_t{3});
  model.Add("token_embd.weight", TensorType::kF32, {8, 3});
  for (std::uint32_t i = 0; i < layers; ++i) {
    model.Add("blk." + std::to_string(i) + ".w", TensorType::kF32, {8});
  }
  return model;
}

Model Embedding(std::vector<std::uint64_t> dims) {
  Model model = Tiny(1);
  model.tensors.clear();
  model.Add("token_embd.weight", TensorType::kF32, std::move(dims));
  return model;
}

TEST(TensorShape, OfTheEmbeddings) {
  EXPECT_THAT(RulesFired(Tiny()), IsEmpty());
  for (const auto& dims : std::vector<std::vector<std::uint64_t>>{{8, 2}, {3, 8}, {8}, {8, 3, 2}}) {
    EXPECT_THAT(RulesFired(Embedding(dims)), ElementsAre("tensor-shape"));
  }
  const Model model = Embedding({8, 2});
  const Finding finding = Judge(model).Only(RuleId::kTensorShape);
  EXPECT_THAT(finding, Tells({DimensionsAt(model, 0), 16}, Text("[8, 2]"), Text("[8, 3]")));
  EXPECT_EQ(Describe(finding.subject), "tensor 0 \"token_embd.weight\"");
  EXPECT_EQ(WordingOf(finding), TensorShapeWording::kEmbeddings);
  EXPECT_EQ(Severities(model, RuleId::kTensorShape), "warning warning warning");
  EXPECT_THAT(RulesFired(Embedding({8, 3, 1, 1})), IsEmpty());
}

TEST(TensorShape, TheVocabularyIsTheListOrTheKeyOrUnknown) {
  Model listed = Embedding({8, 2});
  listed.Set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
  EXPECT_EQ(FindingsOf(Judge(listed), RuleId::kTensorShape).size(), 0U);
  Model neither = Embedding({8, 5});
  neither.Set("tokenizer.ggml.tokens", std::vector<std::string>{"a", "b"});
  EXPECT_EQ(Judge(neither).Only(RuleId::kTensorShape).allowed, Text("[8, 2]"));
  Model unknown = Embedding({8, 5});
  std::erase_if(unknown.metadata, [](const auto& e) { return e.key == "llama.vocab_size"; });
  EXPECT_THAT(RulesFired(unknown), IsEmpty());
  unknown.Set("llama.embedding_length", std::uint32_t{9});
  EXPECT_EQ(Judge(unknown).Only(RuleId::kTensorShape).allowed, Text("[9, 5]"));
  std::erase_if(unknown.metadata, [](const auto& e) { return e.key.ends_with("_length"); });
  EXPECT_THAT(RulesFired(unknown), IsEmpty());
}

TEST(TensorShape, OfBlocksBeyond) {
  Model model = Tiny();
  model.Add("blk.2.w", TensorType::kF32, {8});
  model.Add("blk.99999999999999999999.w", TensorType::kF32, {8});
  const Finding finding = SoleFinding(model, RuleId::kTensorShape);
  EXPECT_THAT(finding, Tells({NameAt(model, 3), 7}, Number(2), Number(2), Number(2)));
  EXPECT_EQ(WordingOf(finding), TensorShapeWording::kBlockBeyond);
  for (const char* name : {"blk.w", "blk..w", "blk.2", "blk.2x.w", "v.blk.2.w", "enc.blk.2.w"}) {
    Model other = Tiny();
    other.Add(name, TensorType::kF32, {8});
    EXPECT_THAT(RulesFired(other), IsEmpty()) << name;
  }
}

TEST(TensorShape, OfBlocksMissing) {
  Model model = Tiny(4);
  std::erase_if(model.tensors,
                [](const auto& t) { return t.name == "blk.1.w" || t.name == "blk.3.w"; });
  model.LayOut();
  const Finding finding = SoleFinding(model, RuleId::kTensorShape);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1), 4}, Number(1), Number(4), Number(2)));
  EXPECT_EQ(WordingOf(finding), TensorShapeWording::kBlockMissing);
  EXPECT_THAT(RulesFired(Model(model).Set("llama.nextn_predict_layers", std::uint32_t{3})),
              IsEmpty());
  for (const std::uint32_t next : {4U, 9U, UINT32_MAX}) {  // none would be left
    EXPECT_THAT(RulesFired(Model(model).Set("llama.nextn_predict_layers", next)),
                Contains("tensor-shape"));
  }
  EXPECT_THAT(RulesFired(Model(model).Set("llama.feed_forward_length",
                                          std::vector<std::uint32_t>{1, 0, 1, 0})),
              IsEmpty());
}

// A file for drafting holds the layers that predict further tokens, and none of the others.
TEST(TensorShape, NotOfTheDraftingLayersAlone) {
  Model model = Tiny(4);
  std::erase_if(model.tensors,
                [](const auto& t) { return t.name.starts_with("blk.") && t.name != "blk.3.w"; });
  model.LayOut();
  EXPECT_THAT(RulesFired(model), ElementsAre("tensor-shape"));
  EXPECT_THAT(RulesFired(Model(model).Set("llama.nextn_predict_layers", std::uint32_t{1})),
              IsEmpty());
}

TEST(TensorShape, NotOfShardsSidecarsAndUnknownArchitectures) {
  Model model = Embedding({8, 2});
  for (const char* type : {"model", "mmproj", "imatrix", "x", ""}) {
    EXPECT_THAT(RulesFired(Model(model).Set("general.type", type)), ElementsAre("tensor-shape"))
        << type;
  }
  Model adapter = Tiny(4);
  adapter.tensors.clear();
  adapter.Add("blk.2.w.lora_a", TensorType::kF32, {8});
  adapter.Add("blk.2.w.lora_b", TensorType::kF32, {1, 8});
  EXPECT_THAT(RulesFired(adapter), IsEmpty());
  for (const char* key : {"split.no", "split.count"}) {
    EXPECT_THAT(RulesFired(Model(model).Set(key, std::uint16_t{2})), ElementsAre("tensor-shape"))
        << key;
  }
  // The first shard has the keys of all, and this one lacks some.
  EXPECT_THAT(
      RulesFired(
          Model(model).Set("split.no", std::uint16_t{0}).Set("split.count", std::uint16_t{2})),
      ElementsAre("hyperparameter-missing"));
  EXPECT_THAT(RulesFired(Model(model).Set(kArchitectureKey, "newest")),
              ElementsAre("architecture-unknown"));
  // Another wording of an architecture whose embeddings are not of the vocabulary.
  Model audio = Embedding({8, 2});
  audio.Set(kArchitectureKey, "wavtokenizer-dec")
      .Set("wavtokenizer-dec.embedding_length", std::uint32_t{9});
  EXPECT_THAT(RulesFired(audio), IsEmpty());
}

std::vector<std::string> AllFired(const Model& model) {
  return Judge(model).AllRules(Severity::kWarning);
}

TEST(QuantizationVersionMissing, IsSaidOnce) {
  Model model = Model::Minimal();
  model.Add("q", TensorType::kQ4_0, {32});
  model.Add("k", TensorType::kQ4_K, {256});
  EXPECT_THAT(AllFired(model), ElementsAre("quantization-version-missing"));
  const Judged judged = Judge(model);
  EXPECT_EQ(TotalOf(judged, RuleId::kQuantizationVersionMissing), 1U);
  EXPECT_THAT(judged.Only(RuleId::kQuantizationVersionMissing),
              Tells({TensorTypeAt(model, 1), 4}, Text("Q4_0")));
  EXPECT_EQ(Severities(model, RuleId::kQuantizationVersionMissing), "warning warning warning");
  EXPECT_THAT(AllFired(Model(model).Set("general.quantization_version", std::uint32_t{2})),
              IsEmpty());
  EXPECT_THAT(
      AllFired(Model(model).Set("split.no", std::uint16_t{1}).Set("split.count", std::uint16_t{2})),
      IsEmpty());
  EXPECT_THAT(AllFired(Model(model).Set("split.no", std::uint16_t{1})),
              ElementsAre("quantization-version-missing"));
  Model floats = Model::Minimal();
  floats.Add("b", TensorType::kBF16, {8});
  EXPECT_THAT(AllFired(floats), IsEmpty());
  floats.tensors.back().type_id = 5;  // removed: tensor-type says it
  EXPECT_THAT(AllFired(floats), ElementsAre("tensor-type"));
}

TEST(FileTypeMismatch, IsAWarningWhereTheTypeFits) {
  Model model = Model::Minimal().Set("general.file_type", std::uint32_t{15});
  model.Add("matrix", TensorType::kF32, {128, 2});  // no row of a whole block of Q4_K
  EXPECT_EQ(Severities(model, RuleId::kFileTypeMismatch), "note note note");
  model.Add("matrix.2", TensorType::kF32, {256, 2});
  EXPECT_EQ(Severities(model, RuleId::kFileTypeMismatch), "warning note note");
  model.tensors.clear();
  for (const char* half : {"w.weight.lora_a", "w.weight.lora_b"}) {
    model.Add(half, TensorType::kF32, {256, 2});
  }
  EXPECT_EQ(Severities(model, RuleId::kFileTypeMismatch), "note note note") << "an adapter";
}

TEST(FileTypeMismatch, IsNotJudgedOfForks) {
  Model model = Model::Minimal().Set("general.file_type", std::uint32_t{38});  // bitnet.cpp: TL1
  model.Add("matrix", TensorType::kF32, {256, 2});
  EXPECT_THAT(Judge(model).Rules(), ElementsAre("file-type-mismatch"));
  model.Add("ternary", TensorType::kI8, {256}).type_id = 36;
  EXPECT_THAT(Judge(model).Rules(), ElementsAre("tensor-type"));
}

TEST(FileTypeMismatch, IsANoteWithoutAMatrix) {
  const auto with = [](std::uint32_t type) {
    return Model::Minimal().Set("general.file_type", type);
  };
  EXPECT_THAT(Judge(with(15)).Rules(), ElementsAre("file-type-mismatch"));
  EXPECT_THAT(Judge(with(15)).Only(RuleId::kFileTypeMismatch),
              Tells({ValueAt(with(15), 1), 4}, Number(15), Text("Q4_K")));
  EXPECT_EQ(Severities(with(15), RuleId::kFileTypeMismatch), "note note note");
  EXPECT_THAT(Judge(with(0)).Rules(), IsEmpty());
  EXPECT_THAT(Judge(with(4)).Rules(), IsEmpty()) << "removed";
  EXPECT_THAT(Judge(with(1000)).Rules(), IsEmpty()) << "a fork's";
  Model empty = with(15);
  empty.tensors.clear();
  EXPECT_THAT(Judge(empty).Rules(), IsEmpty());
  const auto of_two = [&] { return with(15).Set("split.count", std::uint16_t{2}); };
  EXPECT_THAT(Judge(of_two().Set("split.no", std::uint16_t{0})).Rules(), IsEmpty());
  EXPECT_THAT(Judge(of_two()).Rules(), ElementsAre("file-type-mismatch"));
  EXPECT_THAT(Judge(Model::Minimal().Set("general.file_type", std::int32_t{-1})).Rules(),
              IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing

// Rules about projectors, adapters, control vectors and single shards.

#include <gtest/gtest.h>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

// WithClip has one key after the architecture: entry 1.
template <typename T>
Model WithClip(const std::string& name, T value) {
  Model model;
  model.Set(kArchitectureKey, "clip").Set("clip." + name, value);
  return model;
}

void ExpectProjector(const Model& model, ProjectorWording wording, const Fact& observed,
                     const Fact& allowed, std::uint64_t at) {
  const Finding finding = SoleFinding(model, RuleId::kProjector);
  EXPECT_EQ(WordingOf(finding), wording);
  EXPECT_EQ(finding.observed, observed);
  EXPECT_EQ(finding.allowed, allowed);
  EXPECT_EQ(finding.where.begin, at);
  EXPECT_EQ(Severities(model, RuleId::kProjector), "error warning warning");
}

void ExpectProjectorBound(const std::string& name, std::uint32_t most) {
  SCOPED_TRACE(name);
  EXPECT_THAT(RulesFired(WithClip(name, most)), IsEmpty());
  const Model model = WithClip(name, most + 1);
  ExpectProjector(model, ProjectorWording::kRange, Number(most + 1), Number(most),
                  ValueAt(model, 1));
}

TEST(Projector, NamesItsType) {
  Model model = WithClip("vision.patch_size", std::uint32_t{14});
  EXPECT_THAT(RulesFired(model), IsEmpty());  // no tensors
  model.Add("v.post_ln.weight", TensorType::kF32, {8});
  const Finding finding = SoleFinding(model, RuleId::kProjector);
  EXPECT_EQ(WordingOf(finding), ProjectorWording::kNoType);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  for (const char* key : {"", "vision.", "audio.", "gen.audio."}) {
    EXPECT_THAT(RulesFired(Model(model).Set("clip." + std::string(key) + "projector_type", "mlp")),
                IsEmpty());
  }
}

// The loader first reads the key for all parts; if that is empty, it reads those of the parts.
TEST(Projector, IsOfATypeThatTheLoaderKnows) {
  Model model = WithClip("projector_type", "gemma3");
  model.Add("v.post_ln.weight", TensorType::kF32, {8});
  EXPECT_THAT(RulesFired(model), IsEmpty());
  EXPECT_THAT(RulesFired(Model(model).Set("clip.vision.projector_type", "x")), IsEmpty());
  model.Set("clip.projector_type", "gemma");
  const Finding finding = Judge(model).Only(RuleId::kProjector);
  EXPECT_EQ(WordingOf(finding), ProjectorWording::kUnknownType);
  EXPECT_EQ(finding.observed, Text("gemma"));
  EXPECT_EQ(Severities(model, RuleId::kProjector), "warning warning warning");
  model.Set("clip.projector_type", "");
  EXPECT_EQ(WordingOf(Judge(model).Only(RuleId::kProjector)), ProjectorWording::kNoType);
  model.Set("clip.vision.projector_type", "gemma4v");
  EXPECT_THAT(RulesFired(model), IsEmpty());
  model.Set("clip.audio.projector_type", "gemma5a");
  EXPECT_EQ(Judge(model).Only(RuleId::kProjector).observed, Text("gemma5a"));
}

TEST(Projector, BoundsLayersEdgesAndPixels) {
  ExpectProjectorBound("vision.block_count", 512);
  ExpectProjectorBound("audio.block_count", 512);
  ExpectProjectorBound("vision.image_size", 16'384);
  ExpectProjectorBound("vision.preproc_image_size", 16'384);
  ExpectProjectorBound("vision.image_min_pixels", 1U << 28);
  ExpectProjectorBound("vision.image_max_pixels", 1U << 28);
  const Model negative = WithClip("vision.image_size", std::int32_t{-1});
  ExpectProjector(negative, ProjectorWording::kRange, Text("-1"), Number(16'384),
                  ValueAt(negative, 1));
  EXPECT_THAT(RulesFired(WithClip("vision.embedding_length", UINT32_MAX)), IsEmpty());
}

TEST(Projector, DividesByThePatchSize) {
  const Model model = WithClip("vision.patch_size", std::uint32_t{0});
  ExpectProjector(model, ProjectorWording::kZero, Number(0), {}, ValueAt(model, 1));
  EXPECT_THAT(RulesFired(WithClip("vision.patch_size", std::uint32_t{1})), IsEmpty());
  EXPECT_THAT(RulesFired(WithClip("vision.spatial_merge_size", std::uint32_t{0})), IsEmpty());
}

TEST(Projector, TypesOfItsKeys) {
  const Model model = WithClip("vision.image_mean", std::vector<double>{1, 1, 1});
  ExpectProjector(model, ProjectorWording::kType, Text("array of f64"), Text("an array of f32"),
                  TypeAt(model, 1));
  EXPECT_THAT(RulesFired(WithClip("use_gelu", std::uint32_t{1})), ElementsAre("projector"));
  EXPECT_THAT(RulesFired(WithClip("use_gelu", true)), IsEmpty());
  EXPECT_THAT(RulesFired(WithClip("of.its.own", "x")), IsEmpty());
}

TEST(Projector, ThreeColoursAndPairsOfPoints) {
  for (const char* name : {"vision.image_mean", "vision.image_std"}) {
    EXPECT_THAT(RulesFired(WithClip(name, std::vector<float>(3))), IsEmpty());
    const Model model = WithClip(name, std::vector<float>(4));
    ExpectProjector(model, ProjectorWording::kCount, Number(4), Number(3), ValueAt(model, 1) + 4);
  }
  using I32s = std::vector<std::int32_t>;
  const Model model = WithClip("vision.image_grid_pinpoints", I32s(3));
  ExpectProjector(model, ProjectorWording::kOdd, Number(3), {}, ValueAt(model, 1) + 4);
  EXPECT_THAT(RulesFired(WithClip("vision.image_grid_pinpoints", I32s(4))), IsEmpty());
  EXPECT_THAT(RulesFired(WithClip("vision.image_grid_pinpoints", std::vector<std::uint32_t>(4))),
              ElementsAre("projector"));
}

Model Shard(std::uint16_t number, std::uint16_t count, std::int32_t tensors) {
  Model model = Model::Minimal();
  model.Set("split.no", number).Set("split.count", count).Set("split.tensors.count", tensors);
  return model;
}

TEST(ShardFields, NumbersAreBelowTheCount) {
  EXPECT_THAT(RulesFired(Shard(1, 2, 9)), IsEmpty());
  EXPECT_THAT(RulesFired(Shard(0, 0, 9)), IsEmpty()) << "merged";
  EXPECT_THAT(RulesFired(Model::Minimal().Set("split.no", std::uint16_t{7})), IsEmpty());
  const Model model = Shard(2, 2, 9);
  const Finding finding = SoleFinding(model, RuleId::kShardFields);
  EXPECT_THAT(finding, Tells({ValueAt(model, 1), 2}, Number(2), Number(2)));
  EXPECT_EQ(WordingOf(finding), ShardFieldsWording::kNumber);
  EXPECT_EQ(Severities(model, RuleId::kShardFields), "error error warning");
  EXPECT_EQ(Severities(Shard(1, 1, 1), RuleId::kShardFields), "error warning warning");
}

TEST(ShardFields, AreOfTheirTypes) {
  const Model model = Shard(0, 2, 9).Set("split.count", std::uint32_t{2});
  const Finding finding = SoleFinding(model, RuleId::kShardFields);
  EXPECT_THAT(finding, Tells({TypeAt(model, 2), 4}, Text("u32"), Text("a u16")));
  EXPECT_EQ(WordingOf(finding), ShardFieldsWording::kType);
  EXPECT_THAT(RulesFired(Shard(0, 2, 9).Set("split.no", std::int16_t{-1})),
              ElementsAre("shard-fields"));
  EXPECT_THAT(RulesFired(Shard(0, 2, 9).Set("split.tensors.count", std::uint32_t{9})),
              ElementsAre("shard-fields"));
  const Model negative = Shard(0, 2, -9);
  EXPECT_EQ(WordingOf(Judge(negative).Only(RuleId::kShardFields)), ShardFieldsWording::kNegative);
  EXPECT_EQ(Judge(negative).Only(RuleId::kShardFields).observed, Text("-9"));
}

TEST(ShardSet, OfASingleFile) {
  EXPECT_THAT(RulesFired(Shard(0, 1, 1)), IsEmpty());
  EXPECT_THAT(RulesFired(Shard(0, 2, 1)), IsEmpty());
  const Model alone = Shard(0, 1, 2);
  const Finding finding = SoleFinding(alone, RuleId::kShardSet);
  EXPECT_THAT(finding, Tells({ValueAt(alone, 3), 4}, Number(1), Number(2)));
  EXPECT_EQ(WordingOf(finding), ShardSetWording::kOwnTotal);
  EXPECT_EQ(Severities(alone, RuleId::kShardSet), "error warning warning");
  EXPECT_EQ(Severities(Shard(0, 2, 0), RuleId::kShardSet), "error error warning");
  Model without = Shard(0, 1, 2);
  without.metadata.pop_back();
  EXPECT_THAT(RulesFired(without), IsEmpty());
}

}  // namespace
}  // namespace ggufgate::testing

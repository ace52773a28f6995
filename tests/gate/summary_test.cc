#include "gate/summary.h"

#include <gtest/gtest.h>

#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

Summary SummaryOf(const Model& model) {
  const std::vector<std::uint8_t> file = Write(model);
  return Summarise(Parse(file, file.size(), Limits{}).document);
}

// Claim adds a tensor with dimensions but without data.
void Claim(Model& model, std::string_view name, TensorType type, std::vector<std::uint64_t> dims) {
  model.tensors.push_back({.name = std::string(name),
                           .dims = std::move(dims),
                           .type_id = static_cast<std::uint32_t>(type)});
}

TEST(Summarise, CountsWhatIsThere) {
  Model model = Model::Minimal();
  model.Set("a", std::uint32_t{1});
  model.Add("b", TensorType::kF32, {4, 3, 2});
  const Summary summary = SummaryOf(model);
  EXPECT_EQ(summary.version, 3U);
  EXPECT_EQ(summary.architecture, "test");
  EXPECT_EQ(summary.metadata_keys, 2U);
  EXPECT_EQ(summary.tensors, 2U);
  EXPECT_EQ(summary.parameters, 8U + 24U);
  EXPECT_EQ(summary.main_type, "F32");
  EXPECT_FALSE(summary.mixed_types);
}

TEST(Summarise, OfNothingSaysNothing) {
  const Summary summary = Summarise(Document{});
  EXPECT_EQ(summary.version, 0U);
  EXPECT_EQ(summary.architecture, "");
  EXPECT_EQ(summary.parameters, 0U);
  EXPECT_EQ(summary.main_type, "");
  EXPECT_FALSE(summary.mixed_types);
}

TEST(Summarise, AModelMayHaveNoArchitecture) {
  Model model = Model::Minimal();
  model.metadata.clear();
  EXPECT_EQ(SummaryOf(model).architecture, "");
}

TEST(Summarise, AnArchitectureThatIsNoStringIsNone) {
  Model model = Model::Minimal();
  model.Set(kArchitectureKey, std::uint32_t{7});
  EXPECT_EQ(SummaryOf(model).architecture, "");
}

TEST(Summarise, CutsALongArchitecture) {
  Model model = Model::Minimal();
  model.Set(kArchitectureKey, std::string(64, 'a'));
  EXPECT_EQ(SummaryOf(model).architecture, std::string(64, 'a'));
  model.Set(kArchitectureKey, std::string(1'000, 'a'));
  EXPECT_EQ(SummaryOf(model).architecture, std::string(64, 'a'));
}

TEST(Summarise, TheMainTypeHasMostElementsNotMostTensorsOrBytes) {
  Model model;
  model.Add("small 1", TensorType::kF32, {32});
  model.Add("small 2", TensorType::kF32, {32});
  model.Add("large", TensorType::kQ4_0, {96});  // 54 bytes compared with 256
  const Summary summary = SummaryOf(model);
  EXPECT_EQ(summary.main_type, "Q4_0");
  EXPECT_TRUE(summary.mixed_types);
}

TEST(Summarise, AddsUpTheTensorsOfAType) {
  Model model;
  model.Add("a", TensorType::kQ4_0, {64});
  model.Add("b", TensorType::kF32, {48});
  model.Add("c", TensorType::kF32, {48});
  EXPECT_EQ(SummaryOf(model).main_type, "F32");
}

TEST(Summarise, OfEqualShareIsTheTypeWithTheLowerNumber) {
  for (const bool first : {true, false}) {
    Model model;
    model.Add("a", first ? TensorType::kF16 : TensorType::kQ8_0, {32});
    model.Add("b", first ? TensorType::kQ8_0 : TensorType::kF16, {32});
    EXPECT_EQ(SummaryOf(model).main_type, "F16") << "whichever comes first in the file";
  }
}

TEST(Summarise, AnAdapterHasTheLargestOfItsRanks) {
  Model model;
  model.Set(kArchitectureKey, "llama").Set("general.type", "adapter");
  model.Set("adapter.type", "lora").Set("adapter.lora.alpha", 16.0F);
  model.Add("blk.0.attn_q.weight.lora_a", TensorType::kF32, {64, 8});
  model.Add("blk.0.attn_q.weight.lora_b", TensorType::kF32, {8, 64});
  model.Add("blk.0.attn_v.weight.lora_a", TensorType::kF32, {64, 16});
  model.Add("blk.0.attn_v.weight.lora_b", TensorType::kF32, {16, 64});
  EXPECT_EQ(SummaryOf(model).sidecar, kLoraAdapter);
  EXPECT_EQ(SummaryOf(model).rank, 16U);
  model.Add("output.weight", TensorType::kF32, {64, 64});
  EXPECT_EQ(SummaryOf(model).rank, 0U) << "a model, whatever it says";
}

TEST(Summarise, ParametersSaturate) {
  constexpr std::uint64_t kHuge = (std::uint64_t{1} << 63) - 1;
  Model model;
  Claim(model, "a", TensorType::kI8, {kHuge});
  Claim(model, "b", TensorType::kI8, {kHuge});
  EXPECT_EQ(SummaryOf(model).parameters, UINT64_MAX - 1);
  Claim(model, "c", TensorType::kI8, {kHuge});
  EXPECT_EQ(SummaryOf(model).parameters, UINT64_MAX);
  EXPECT_EQ(SummaryOf(model).main_type, "I8");
}

TEST(Summarise, LeavesOutTensorsWithoutAKnownSize) {
  Model model = Model::Minimal();
  Claim(model, "overflow", TensorType::kF16, {std::uint64_t{1} << 32, std::uint64_t{1} << 32});
  model.tensors.push_back({.name = "unknown", .dims = {64}, .type_id = 4'000'000'000});
  const Summary summary = SummaryOf(model);
  EXPECT_EQ(summary.tensors, 3U) << "they are counted";
  EXPECT_EQ(summary.parameters, 8U);
  EXPECT_EQ(summary.main_type, "F32");
  EXPECT_FALSE(summary.mixed_types);
}

TEST(Summarise, OfAFaultyFileTellsWhatWasRead) {
  Model model = Model::Minimal();
  model.tensors.front().claimed_dimension_count = 6;
  const Summary summary = SummaryOf(model);
  EXPECT_EQ(summary.architecture, "test");
  EXPECT_EQ(summary.tensors, 0U);
}

}  // namespace
}  // namespace ggufgate

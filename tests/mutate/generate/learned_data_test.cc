#include "mutate/generate/learned_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "dequantize/dequantize.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

using ::testing::IsEmpty;

// A tensor of 2,048 elements, filled.
Model Filled(std::string_view name, TensorType type) {
  Model model;
  model.Set(kArchitectureKey, "test").Set("general.quantization_version", std::uint32_t{2});
  FillLearned(model.Add(name, type, {1024, 2}));
  return model;
}

std::vector<float> FloatsOf(std::string_view name, TensorType type) {
  std::vector<float> floats(2048);
  EXPECT_EQ(Dequantize(type, Filled(name, type).tensors.front().data, floats), Dequantized::kDone);
  return floats;
}

TEST(LearnedData, OfEveryTypeIsSound) {
  Policy policy;
  policy.data = DataScan::kFull;
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const testing::Judged judged = testing::Judge(Filled("weight", type.type), policy);
    EXPECT_THAT(judged.Rules(Severity::kError), IsEmpty()) << type.name;
  }
}

TEST(LearnedData, IsSmallAndNotZero) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const std::vector<float> floats = FloatsOf("blk.0.attn_q.weight", type.type);
    const auto [least, most] = std::ranges::minmax(floats);
    if (type.name.starts_with("I") && !type.name.starts_with("IQ")) {
      EXPECT_TRUE(least == 0 && most == 0) << type.name;
      continue;
    }
    EXPECT_GT(std::max(most, -least), 1e-4F) << type.name;
    EXPECT_LT(std::max(most, -least), 4.0F) << type.name;
  }
}

TEST(LearnedData, IsTheSameNumberInEveryFloat) {
  for (const char* name : {"output.weight", "output_norm.weight", "blk.0.ssm_a", "a.bias"}) {
    const std::vector<float> floats = FloatsOf(name, TensorType::kF32);
    for (const TensorType type : {TensorType::kF16, TensorType::kBF16, TensorType::kF64}) {
      EXPECT_EQ(FloatsOf(name, type), floats) << name;
    }
  }
}

TEST(LearnedData, FitsTheRoleOfItsTensor) {
  for (const float norm : FloatsOf("blk.0.attn_norm.weight", TensorType::kF32)) {
    ASSERT_NEAR(norm, 1.0F, 0.05F);
  }
  for (const float decay : FloatsOf("blk.0.ssm_a", TensorType::kF32)) ASSERT_LT(decay, -0.5F);
  const std::vector<float> weights = FloatsOf("blk.0.attn_norm.bias", TensorType::kF32);
  EXPECT_LT(std::ranges::max(weights), 0.11F);
  EXPECT_NE(std::vector(weights.begin(), weights.begin() + 1024),
            std::vector(weights.begin() + 1024, weights.end()))
      << "rows differ";
}

TEST(LearnedData, ATypeThatIsNoneStaysAsItIs) {
  Model::Tensor tensor{.name = "weight", .dims = {4}, .type_id = 999, .data = {1, 2, 3}};
  FillLearned(tensor);
  EXPECT_EQ(tensor.data, (std::vector<std::uint8_t>{1, 2, 3}));
}

}  // namespace
}  // namespace ggufgate::mutate

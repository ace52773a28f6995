// A loader that runs models, for machines without the reference: it loads exactly the models that
// the mutator expects to load.

#include "tests/oracles/plain_loader/plain_loader.h"

#include <gmock/gmock.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "format/contracts/contract.h"
#include "mutate/generate/learned_model.h"
#include "mutate/mutator.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

Model Llama(ContractForm form = ContractForm::kDense) {
  return MakeLearned({.contract = FindContract("llama"), .form = form});
}

Model WithKeyValueHeads(std::uint32_t heads, std::uint64_t rows) {
  Model model = Llama();
  model.Set("llama.attention.head_count_kv", heads);
  for (Model::Tensor& tensor : model.tensors) {
    if (!tensor.name.ends_with("attn_k.weight") && !tensor.name.ends_with("attn_v.weight"))
      continue;
    tensor.dims[1] = rows;
    tensor.data.resize(tensor.dims[0] * rows * 4);
  }
  model.LayOut();
  return model;
}

bool Loads(const Model& model) { return plain::Load(Write(model)).has_value(); }

TEST(PlainLoader, DecodesEachFormOfLlama) {
  for (const ContractForm form : {ContractForm::kDense, ContractForm::kExperts,
                                  ContractForm::kWholeDense, ContractForm::kWholeExperts}) {
    const std::optional<plain::Model> model = plain::Load(Write(Llama(form)));
    ASSERT_TRUE(model);
    EXPECT_LT(plain::Decode(*model), model->tokens);
  }
}

TEST(PlainLoader, WantsTheShapesThatFollowFromTheHeads) {
  EXPECT_TRUE(Loads(WithKeyValueHeads(1, 32)));
  EXPECT_FALSE(Loads(WithKeyValueHeads(1, 64)));
  EXPECT_FALSE(Loads(WithKeyValueHeads(2, 32)));
  EXPECT_FALSE(Loads(WithKeyValueHeads(0, 32)));
}

TEST(PlainLoader, WantsAnElementForEachLayer) {
  Model model = Llama();
  model.Set("llama.attention.head_count_kv", std::vector<std::uint32_t>{2, 2});
  EXPECT_TRUE(Loads(model));
  model.Set("llama.attention.head_count_kv", std::vector<std::uint32_t>{2});
  EXPECT_FALSE(Loads(model));
}

TEST(PlainLoader, WantsAllTensorsAndNoOthers) {
  Model more = Llama();
  more.Add("blk.0.ffn_other.weight", TensorType::kF32, {64});
  EXPECT_FALSE(Loads(more));
  Model fewer = Llama();
  std::erase_if(fewer.tensors,
                [](const auto& tensor) { return tensor.name == "blk.1.ffn_up.weight"; });
  fewer.LayOut();
  EXPECT_FALSE(Loads(fewer));
}

TEST(PlainLoader, LoadsAndDecodesWhatTheMutatorSaysToLoad) {
  Mutator mutator(kMostBytes);
  const std::vector<std::uint8_t> seed = Write(Llama());
  int loaded = 0;
  for (std::uint64_t number = 0; number < 50; ++number) {
    const Mutant mutant = mutator.Make(
        {.input = seed, .mode = Mode::kConsistent, .seed = number, .max_size = kMostBytes});
    const std::optional<plain::Model> model = plain::Load(mutant.bytes);
    if (!model) continue;
    ++loaded;
    EXPECT_LT(plain::Decode(*model), model->tokens);
  }
  EXPECT_GE(loaded, 45) << "of 50";
}

}  // namespace
}  // namespace ggufgate::mutate

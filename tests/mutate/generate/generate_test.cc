#include "mutate/generate/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "format/tensors/tensor_type.h"
#include "format/tokenizers/tokenizer.h"
#include "mutate/build/entry_value.h"
#include "mutate/mutator.h"
#include "mutate/repair/meaning.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

// The remains of generated files after Repair, counted over many files.
class Generated : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Workshop workshop(3);
    for (int i = 0; i < 40'000; ++i) {
      MutationContext& context = workshop.Fresh();
      Generate(context);
      Repair(context);
      for (const Entry& entry : context.draft.entries) {
        ++keys[std::string(entry.key)];
        const bool array = Is(entry, ValueType::kArray);
        ++(array ? elements
                 : values)[array ? static_cast<std::uint32_t>(ElementTypeOf(entry)) : entry.type];
        if (entry.key == "tokenizer.ggml.model") ++models[std::string(*TextOf(entry))];
        if (entry.key == kArchitectureKey) ++architectures[std::string(*TextOf(entry))];
      }
      for (const Tensor& tensor : context.draft.tensors) {
        ++tensors[tensor.type];
        ++dimensions[tensor.dimension_count];
        if (tensor.name.ends_with(".lora_a")) ++adapters;
        if (tensor.name.starts_with("direction.")) ++directions;
      }
    }
  }

  inline static std::map<std::string, int> keys, models, architectures;
  inline static std::map<std::uint32_t, int> values, elements, tensors, dimensions;
  inline static int adapters = 0;
  inline static int directions = 0;
};

TEST_F(Generated, HaveEveryTypeOfTensorAndValue) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    EXPECT_GT(tensors[static_cast<std::uint32_t>(type.type)], 100) << type.name;
  }
  for (std::uint32_t type = 0; type <= 12; ++type) {
    if (type == IdOf(ValueType::kArray)) continue;
    EXPECT_GT(values[type], 100) << type;
    EXPECT_GT(elements[type], 100) << type;
  }
  for (std::uint32_t count = 0; count <= kMaximumDimensions; ++count) {
    EXPECT_GT(dimensions[count], 100) << count;
  }
}

TEST_F(Generated, AreModelsVocabulariesAndSidecars) {
  for (const std::string_view model :
       {"llama", "gpt2", "bert", "t5", "rwkv", "none", "plamo2", "no_vocab"}) {
    EXPECT_GT(models[std::string(model)], 50) << model;
  }
  EXPECT_GT(architectures.size(), 60u);
  EXPECT_GT(adapters, 100);
  EXPECT_GT(directions, 100);
  for (const std::string_view key :
       {"tokenizer.chat_template", "tokenizer.chat_template.tool_use", "split.no",
        "split.tensors.count", "adapter.type", "clip.vision.patch_size", "clip.vision.image_mean",
        "tokenizer.ggml.scores", "tokenizer.ggml.token_type", "tokenizer.ggml.merges",
        "tokenizer.ggml.bos_token_id", "tokenizer.ggml.precompiled_charsmap", "general.alignment",
        "llama.block_count", "llama.attention.head_count", "llama.expert_used_count"}) {
    EXPECT_GT(keys[std::string(key)], 20) << key;
  }
}

TEST(Generate, MakesDifferentSoundFiles) {
  Mutator mutator(1 << 14);
  std::set<std::string> different;
  std::size_t bytes = 0;
  constexpr std::size_t kCount = 5000;
  for (std::uint64_t seed = 0; seed < kCount; ++seed) {
    const Mutant mutant = mutator.Make({.input = {}, .mode = Mode::kGenerate, .seed = seed});
    ASSERT_EQ(mutant.expect, Expectation::kAccept);
    ASSERT_EQ(ErrorsIn(mutant.bytes), std::set<std::string>()) << seed;
    different.emplace(AsText(mutant.bytes));
    bytes += mutant.bytes.size();
  }
  EXPECT_GT(different.size(), kCount * 9 / 10);
  EXPECT_LT(bytes / kCount, 1024u);  // small on average
}

TEST(Generate, MakesSomethingOfAnInputWithoutRecords) {
  Mutator mutator(1 << 14);
  std::size_t grown = 0;
  const std::vector<std::uint8_t> one = {'G'};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Mutant mutant = mutator.Make({.input = one, .mode = Mode::kConsistent, .seed = seed});
    if (mutant.bytes.size() > kHeaderBytes + 40) ++grown;
  }
  EXPECT_GT(grown, 60u);
}

}  // namespace
}  // namespace ggufgate::mutate

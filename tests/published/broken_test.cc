// The same files with one fault each, which the gate must report. Without this test, a gate that
// never reports anything would pass.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "bytes/byte_order.h"
#include "tests/published/judged.h"

namespace ggufgate::published {
namespace {

struct File {
  Model model;
  std::uint64_t data_bytes = 0;
};

// Add adds to the u32 of the first key with this ending. It returns false if there is none.
bool Add(Model& model, std::string_view ending, std::uint32_t more) {
  const auto entry = std::ranges::find_if(model.metadata, [&](const Model::Entry& one) {
    return one.key.ends_with(ending) && one.type == static_cast<std::uint32_t>(ValueType::kU32);
  });
  if (entry == model.metadata.end()) return false;
  const auto value = Load<std::uint32_t>(entry->payload, model.byte_order);
  Store(value + more, model.byte_order, entry->payload);
  return true;
}

bool WiderEmbeddings(File& file) {  // the gate does not know the shapes of a projector
  return file.model.tensors.front().name == "token_embd.weight" &&
         Add(file.model, ".embedding_length", 1);
}
bool OneMoreLayer(File& file) {
  const bool joined = std::ranges::any_of(file.model.tensors, [](const Model::Tensor& tensor) {
    return tensor.name.starts_with("blk.0.");  // T5 numbers the layers of two stacks
  });
  return joined && Add(file.model, ".block_count", 1);
}
bool EndBeyondVocabulary(File& file) {
  return Add(file.model, "tokenizer.ggml.eos_token_id", 10'000'000);
}
bool RowsOneLonger(File& file) {
  const auto elements = [](const Model::Tensor& tensor) {
    std::uint64_t product = 1;
    for (const std::uint64_t dim : tensor.dims) product *= dim;
    return product;
  };
  ++std::ranges::max_element(file.model.tensors, {}, elements)->dims.front();
  return true;
}
bool TypeThatIsNone(File& file) {
  file.model.tensors.back().type_id = 999;
  return true;
}
bool NameTwice(File& file) {
  file.model.tensors.back().name = file.model.tensors.front().name;
  return true;
}
bool CutShort(File& file) {
  file.data_bytes /= 2;
  return true;
}
bool FirstTensorGone(File& file) {  // its bytes belong to no tensor
  file.model.tensors.erase(file.model.tensors.begin());
  return true;
}

struct Breakage {
  std::string_view name;
  bool (*apply)(File& file);
};
constexpr std::array kBreakages = {
    Breakage{"embedding_length is one more", WiderEmbeddings},
    Breakage{"block_count is one more", OneMoreLayer},
    Breakage{"the id of the end is beyond all tokens", EndBeyondVocabulary},
    Breakage{"the rows of a tensor are one longer", RowsOneLonger},
    Breakage{"a tensor has a type that is none", TypeThatIsNone},
    Breakage{"two tensors have one name", NameTwice},
    Breakage{"half of the data are missing", CutShort},
    Breakage{"the first tensor is missing", FirstTensorGone},
};

// Each file is broken in two ways, the next file in the next two, because all combinations would
// take long.
constexpr std::size_t kEach = 2;

TEST(Broken, IsToldOfEachFile) {
  std::size_t next = 0;
  std::array<int, kBreakages.size()> applied{};
  for (const std::string folder : {"models", "sidecars", "diffusion"}) {
    for (const std::string& name : RecipesIn(folder)) {
      const Recipe recipe = Load(folder, name);
      std::size_t done = 0;
      for (std::size_t tries = 0; done < kEach && tries < kBreakages.size(); ++tries, ++next) {
        const Breakage& breakage = kBreakages.at(next % kBreakages.size());
        File file{recipe.model, recipe.data_bytes};
        if (!breakage.apply(file)) continue;
        ++done;
        ++applied.at(next % kBreakages.size());
        const JudgedFile judged =
            JudgeModel(file.model, file.data_bytes, PolicyFor(Profile::kGate));
        EXPECT_NE(judged.Unexpected(ExpectedFindings(recipe)), "") << name << ": " << breakage.name;
      }
      EXPECT_EQ(done, kEach) << name;
    }
  }
  for (const int times : applied) EXPECT_GE(times, 10);
}

// Rules without a finding for a published model report its most similar broken version.
JudgedFile Judged(const std::string& name, std::string_view key, std::uint32_t more) {
  Recipe recipe = Load("models", name);
  EXPECT_TRUE(Add(recipe.model, key, more)) << name << ": " << key;
  return JudgeModel(recipe.model, recipe.data_bytes, PolicyFor(Profile::kGate));
}

TEST(Neighbour, OfALiteDeepSeekMustCompressItsQueries) {
  EXPECT_TRUE(Judged("deepseek-v2-lite-chat", ".block_count", 1).Fired("hyperparameter-missing"));
}

TEST(Neighbour, WithAWidthOfSharedExpertsMustHaveThem) {
  Recipe recipe = Load("models", "granite-3.1-3b-a800m-instruct");
  recipe.model.Set("granitemoe.expert_shared_feed_forward_length", std::uint32_t{1024});
  EXPECT_TRUE(JudgeModel(recipe.model, recipe.data_bytes, PolicyFor(Profile::kGate))
                  .Fired("tensor-missing"));
}

TEST(Neighbour, WithOtherWidthsOfHeadsIsRefused) {
  EXPECT_TRUE(Judged("plamo-2-1b", ".attention.key_length", 1).Fired("shape-refused"));
}

TEST(Neighbour, WithImageFeaturesForEachLayerIsRejected) {
  EXPECT_TRUE(Judged("qwen3-vl-8b-instruct", ".n_deepstack_layers", 32).accepted);
  EXPECT_FALSE(Judged("qwen3-vl-8b-instruct", ".n_deepstack_layers", 33).accepted);
}

}  // namespace
}  // namespace ggufgate::published

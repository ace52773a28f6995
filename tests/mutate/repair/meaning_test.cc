#include "mutate/repair/meaning.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/generate/parts.h"
#include "mutate/lies/lie_context.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

TEST(RepairMeaning, LeavesASoundModelAsItIs) {
  std::ifstream stream("corpus/valid/sample-llama.gguf", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::vector<std::uint8_t> file(text.begin(), text.end());
  ASSERT_GT(file.size(), kHeaderBytes);
  Workshop workshop(1);
  MutationContext& context = workshop.Fresh(file);
  Repair(context);
  ASSERT_TRUE(context.Write());
  EXPECT_TRUE(std::ranges::equal(context.bytes(), file));
}

// Kept tells whether an entry remains after Repair of `with` and the entry.
template <typename... Entries>
bool Kept(MutationContext& context, const Entry& entry, const Entries&... with) {
  (AddEntry(context.draft, with), ...);
  AddEntry(context.draft, entry);
  Repair(context);
  return context.draft.Find(entry.key) != nullptr;
}

class Repaired : public ::testing::Test {
 protected:
  template <typename T, typename... Entries>
  bool KeepsNumber(std::string_view key, T value, const Entries&... with) {
    MutationContext& context = workshop_.Fresh();
    return Kept(context, NumberEntry(arena_, key, value), with...);
  }
  Entry Text(std::string_view key, std::string_view text) { return TextEntry(arena_, key, text); }
  template <typename T>
  Entry Number(std::string_view key, T value) {
    return NumberEntry(arena_, key, value);
  }
  Entry Tokens(std::uint64_t count) {
    int i = 0;
    const auto next = [&]() -> std::string_view {
      text_ = "t" + std::to_string(i++);
      return text_;
    };
    return TextArrayEntry(arena_, "tokenizer.ggml.tokens", count, 8, next);
  }

  Arena arena_{1 << 16};
  Workshop workshop_{1};
  std::string text_;
};

TEST_F(Repaired, KeepsHyperParametersInBounds) {
  const Entry llama = Text("general.architecture", "llama");
  EXPECT_TRUE(KeepsNumber("llama.block_count", std::uint32_t{512}, llama));
  EXPECT_FALSE(KeepsNumber("llama.block_count", std::uint32_t{513}, llama));
  EXPECT_FALSE(KeepsNumber("llama.block_count", std::int8_t{-1}, llama));
  EXPECT_TRUE(KeepsNumber("llama.block_count", 1.0F));  // without an architecture it has no meaning
  EXPECT_FALSE(KeepsNumber("llama.block_count", 1.0F, llama));

  const Entry width = Number("llama.embedding_length", std::uint32_t{10});
  EXPECT_TRUE(KeepsNumber("llama.attention.head_count", std::uint32_t{5}, llama, width));
  EXPECT_FALSE(KeepsNumber("llama.attention.head_count", std::uint32_t{4}, llama, width));
  EXPECT_FALSE(KeepsNumber("llama.attention.head_count", std::uint32_t{0}, llama));
  EXPECT_FALSE(KeepsNumber("llama.attention.head_count_kv", std::uint64_t{0}, llama));
  EXPECT_TRUE(KeepsNumber("mamba.attention.head_count", std::uint32_t{0},
                          Text("general.architecture", "mamba")));

  const Entry experts = Number("llama.expert_count", std::uint32_t{8});
  EXPECT_TRUE(KeepsNumber("llama.expert_used_count", std::uint32_t{8}, llama, experts));
  EXPECT_FALSE(KeepsNumber("llama.expert_used_count", std::uint32_t{9}, llama, experts));
  EXPECT_FALSE(KeepsNumber("llama.expert_used_count", std::uint32_t{0}, llama, experts));
}

TEST_F(Repaired, KeepsTokenIdsOfTheVocabulary) {
  const Entry model = Text("tokenizer.ggml.model", "llama");
  const Entry tokens = Tokens(4);
  constexpr std::string_view kId = "tokenizer.ggml.eot_token_id";
  EXPECT_TRUE(KeepsNumber(kId, std::uint32_t{3}, model, tokens));
  EXPECT_FALSE(KeepsNumber(kId, std::uint32_t{4}, model, tokens));
  EXPECT_TRUE(KeepsNumber(kId, std::uint32_t{0xFFFF'FFFF}, model, tokens));
  EXPECT_TRUE(KeepsNumber(kId, std::int32_t{-1}, model, tokens));
  EXPECT_FALSE(KeepsNumber(kId, std::int32_t{-2}, model, tokens));
  EXPECT_FALSE(KeepsNumber(kId, std::uint64_t{1}, model, tokens));
}

TEST_F(Repaired, KeepsATokenizerThatItsVocabularyServes) {
  EXPECT_TRUE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "t5"), Tokens(3)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "t5"), Tokens(2)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "llama"), Tokens(3)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "bert"), Tokens(4)));
  EXPECT_TRUE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "bert"), Tokens(103)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "rwkv"), Tokens(4)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "rwkv"), Tokens(0)));
  EXPECT_TRUE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "none"), Tokens(0)));
  EXPECT_FALSE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "gpt2"), Tokens(11)));
  EXPECT_TRUE(Kept(workshop_.Fresh(), Text("tokenizer.ggml.model", "gpt2"), Tokens(12)));
}

TEST_F(Repaired, KeepsShardsThatCount) {
  const Entry three = Number("split.count", std::uint16_t{3});
  EXPECT_TRUE(KeepsNumber("split.no", std::uint16_t{2}, three));
  EXPECT_FALSE(KeepsNumber("split.no", std::uint16_t{3}, three));
  EXPECT_FALSE(KeepsNumber("split.no", std::uint32_t{0}, three));
  const Entry one = Number("split.count", std::uint16_t{1});
  const Entry first = Number("split.no", std::uint16_t{0});
  EXPECT_TRUE(KeepsNumber("split.tensors.count", std::int32_t{0}, one, first));
  EXPECT_FALSE(KeepsNumber("split.tensors.count", std::int32_t{1}, one, first));
}

// An entry of a known key with any value: of its shape or another one, large or small.
void AddAnything(MutationContext& context, std::string_view architecture) {
  Random& random = context.random;
  const std::size_t id = random.Below(kKnownKeys.size());
  if (random.OneIn(2)) return AddKnownValue(context, id, architecture, random.Below(5));
  const KnownKey& known = kKnownKeys[id];
  const std::string_view key =
      known.of_architecture ? Joined(context.arena, {architecture, ".", known.name}) : known.name;
  if (random.OneIn(4)) {
    AddEntry(context.draft, MisshapenEntry(context, key, known.shape, random.Below(5)));
  } else if (random.OneIn(3)) {
    AddNumber(context, key, random.Next() >> random.Below(64));
  } else {
    const auto word = static_cast<std::uint32_t>(random.Next() >> (32 + random.Below(32)));
    AddNumber(context, key, random.OneIn(8) ? ~word : word);
  }
}

TEST(RepairMeaning, TakesOutWhatTheGateWouldReject) {
  constexpr std::array<std::string_view, 7> kArchitectures = {
      "llama", "clip", "", "qwen3next", "mamba2", "general", "a.dot"};
  constexpr std::array<std::string_view, 7> kNames = {
      "x.lora_a", "x.lora_b", "y.lora_b", ".lora_a", "direction.1", "direction.0", "direction."};
  constexpr std::array<std::string_view, 8> kModels = {"llama", "gpt2", "bert",   "t5",
                                                       "rwkv",  "none", "gemma4", "plamo2"};
  Workshop workshop(5);
  std::uint64_t kept = 0;
  for (std::uint64_t i = 0; i < Rounds(30'000); ++i) {
    MutationContext& context = workshop.Fresh();
    Random& random = context.random;
    const std::string_view architecture = random.Pick(kArchitectures);
    AddText(context, kArchitectureKey, architecture);
    AddText(context, "tokenizer.ggml.model", random.Pick(kModels));
    const std::array<std::string_view, 5> tokens = {"<0x00>", "<0x0a>", "a", "", "<0xFF>"};
    AddEntry(context.draft, TextArrayEntry(context.arena, "tokenizer.ggml.tokens", random.Below(15),
                                           8, [&] { return random.Pick(tokens); }));
    AddEntry(context.draft, ArrayEntry<std::int32_t>(
                                context.arena, "tokenizer.ggml.token_type", random.Below(15), [&] {
                                  return static_cast<std::int32_t>(random.OneIn(8) ? 6 : 1);
                                }));
    if (random.OneIn(4)) {
      AddText(context, "general.type", "adapter");
    }
    for (std::uint64_t n = random.Below(24); n > 0; --n) AddAnything(context, architecture);
    for (std::uint64_t n = random.Below(4); n > 0; --n) {
      Tensor tensor{.name = random.Pick(kNames), .dimension_count = 1};
      tensor.dims[0] = 2;
      AddNoiseTensor(context, tensor);
    }
    Repair(context);
    kept += context.draft.entries.size();
    ASSERT_TRUE(context.Write());
    ASSERT_EQ(ErrorsIn(context.bytes()), std::set<std::string>()) << i;
  }
  EXPECT_GT(kept, Rounds(30'000) * 5);
}

}  // namespace
}  // namespace ggufgate::mutate

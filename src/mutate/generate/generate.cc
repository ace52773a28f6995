// Makes files from random numbers only. Cheap kinds are more frequent.

#include "mutate/generate/generate.h"

#include <array>
#include <bit>

#include "format/architecture.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/harmless_template.h"
#include "mutate/build/records.h"
#include "mutate/generate/parts.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::string_view, 10> kFreeKeys = {
    "general.author", "user.note",   "test.value", "training.loss", "Mixed-Case.Key", "a",
    "quantize.x",     "general.url", "x y",        "general.tags"};
constexpr std::array<std::string_view, 12> kTensorNames = {
    "token_embd.weight",   "output.weight",     "blk.0.attn_q.weight", "weight",
    "output_norm.weight",  "blk.1.ffn_up.bias", "rope_freqs.weight",   "",
    "v.patch_embd.weight", "mm.0.weight",       "\xC3\xA9t\xC3\xA9",   "bias"};
constexpr std::array<std::string_view, 6> kTexts = {"",
                                                    "model",
                                                    "apache-2.0",
                                                    "a somewhat longer text, as people write them",
                                                    "\xE6\x96\x87",
                                                    "{{ not a template }}"};

// AddValue adds a key with a value of any type, or an array of any type.
void AddValue(MutationContext& context, std::string_view key) {
  Random& random = context.random;
  Arena& arena = context.arena;
  const bool array = random.OneIn(3);
  const std::uint64_t count = random.Below(6);
  const auto add = [&]<Scalar T>(T) {
    const auto next = [&] { return std::bit_cast<T>(static_cast<WordOf<T>>(random.Next())); };
    AddEntry(context.draft,
             array ? ArrayEntry<T>(arena, key, count, next) : NumberEntry<T>(arena, key, next()));
  };
  switch (random.Below(12)) {
    case 0:
      return add(std::uint8_t{});
    case 1:
      return add(std::int8_t{});
    case 2:
      return add(std::uint16_t{});
    case 3:
      return add(std::int16_t{});
    case 4:
      return add(std::uint32_t{});
    case 5:
      return add(std::int32_t{});
    case 6:
      return add(float{});
    case 7:
      return add(std::uint64_t{});
    case 8:
      return add(std::int64_t{});
    case 9:
      return add(double{});
    case 10: {
      const auto next = [&] { return random.OneIn(2); };
      AddEntry(context.draft, array ? ArrayEntry<bool>(arena, key, count, next)
                                    : NumberEntry<bool>(arena, key, next()));
      return;
    }
    default: {
      constexpr std::size_t kLongest = 48;
      const auto next = [&] { return random.Pick(kTexts); };
      AddEntry(context.draft, array ? TextArrayEntry(arena, key, count, kLongest, next)
                                    : TextEntry(arena, key, next()));
      return;
    }
  }
}

void GenerateValues(MutationContext& context) {
  std::size_t at = context.random.Below(kFreeKeys.size());
  for (std::uint64_t i = context.random.Between(1, 4); i > 0; --i, ++at) {
    AddValue(context, kFreeKeys[at % kFreeKeys.size()]);
  }
}

// GenerateTensors adds tensors of any types, each of a few blocks at most.
void GenerateTensors(MutationContext& context) {
  Random& random = context.random;
  std::size_t at = random.Below(kTensorNames.size());
  for (std::uint64_t i = random.Below(4); i > 0; --i, ++at) {
    const TensorTypeInfo& type = random.Pick(AllTensorTypes());
    Tensor tensor{
        .name = kTensorNames[at % kTensorNames.size()],
        .dimension_count = static_cast<std::uint32_t>(random.Below(kMaximumDimensions + 1)),
        .type = static_cast<std::uint32_t>(type.type)};
    const bool large = type.block_bytes > 64;
    tensor.dims[0] = type.block_elements * (large ? 1 : random.Between(1, 3));
    for (std::size_t d = 1; d < tensor.dimension_count; ++d) {
      tensor.dims[d] = large ? 1 : random.Between(1, 3);
    }
    if (tensor.dimension_count == 0) tensor.dims[0] = type.block_elements;
    AddNoiseTensor(context, tensor);
  }
}

void GenerateChat(MutationContext& context) {
  const std::string_view key =
      context.random.OneIn(4) ? "tokenizer.chat_template.tool_use" : "tokenizer.chat_template";
  AddText(context, key, HarmlessTemplate(context));
}

void GenerateAlignment(MutationContext& context) {
  const std::uint32_t alignment = std::uint32_t{1} << context.random.Below(9);
  AddNumber(context, kAlignmentKey, alignment);
}

// ContentPart is a kind of content. `share` is its probability as first part of a file, in 64ths.
struct ContentPart {
  std::uint64_t share;
  void (*generate)(MutationContext& context);
};
constexpr std::array<ContentPart, 9> kParts = {{{22, GenerateTensors},
                                                {14, GenerateValues},
                                                {8, GenerateModel},
                                                {5, GenerateVocabulary},
                                                {5, GenerateChat},
                                                {3, GenerateAdapter},
                                                {2, GenerateControlVector},
                                                {3, GenerateProjector},
                                                {2, GenerateShard}}};

}  // namespace

void Generate(MutationContext& context) {
  Random& random = context.random;
  context.draft.encoding = {};  // an input without records may have set another one
  if (random.OneIn(16)) context.draft.version = 2;
  if (random.OneIn(8)) GenerateAlignment(context);
  std::uint64_t drawn = random.Below(64);
  for (const ContentPart& part : kParts) {
    if (drawn < part.share) {
      part.generate(context);
      break;
    }
    drawn -= part.share;
  }
  // Add another part: Repair removes contradictions.
  if (random.OneIn(8)) random.Pick(kParts).generate(context);
}

}  // namespace ggufgate::mutate

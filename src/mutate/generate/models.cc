// Models with their hyper-parameters, and sidecars of models.

#include <array>

#include "format/architecture.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/generate/parts.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::string_view, 4> kArchitectures = {"llama", "qwen3", "gemma3", "test"};
constexpr std::array<std::string_view, 6> kBlockNames = {".attn_q.weight",   ".attn_k.weight",
                                                         ".ffn_up.weight",   ".attn_norm.weight",
                                                         ".ffn_gate.weight", ".attn_output.weight"};
constexpr std::array<std::string_view, 4> kDigits = {"0", "1", "2", "3"};

constexpr auto kF32 = static_cast<std::uint32_t>(TensorType::kF32);

std::string_view KeyOf(MutationContext& context, std::string_view architecture,
                       std::string_view name) {
  return Joined(context.arena, {architecture, ".", name});
}

// AddInteger adds a number in any integer type that can hold it.
void AddInteger(MutationContext& context, std::string_view key, std::uint16_t value) {
  switch (context.random.Below(16)) {
    case 0:
      AddNumber(context, key, value);
      return;
    case 1:
      AddNumber<std::uint64_t>(context, key, value);
      return;
    case 2:
      AddNumber<std::int64_t>(context, key, value);
      return;
    case 3:
      AddNumber<std::int32_t>(context, key, value);
      return;
    default:
      AddNumber<std::uint32_t>(context, key, value);
      return;
  }
}

void AddFloat(MutationContext& context, std::string_view key) {
  constexpr std::array<float, 6> kValues = {1e-5F, 1.0F, 10000.0F, 0.5F, -0.0F, 1e-40F};
  AddNumber(context, key, context.random.Pick(kValues));
}

void AddBlocks(MutationContext& context, std::uint64_t layers, std::uint64_t width) {
  for (std::uint64_t layer = 0; layer < layers && layer < kDigits.size(); ++layer) {
    Tensor tensor{
        .name = Joined(context.arena, {"blk.", kDigits[layer], context.random.Pick(kBlockNames)}),
        .dimension_count = 1,
        .type = kF32};
    tensor.dims[0] = width;
    AddNoiseTensor(context, tensor);
  }
}

}  // namespace

void AddKnownValue(MutationContext& context, std::size_t id, std::string_view architecture,
                   std::uint64_t count) {
  Random& random = context.random;
  Arena& arena = context.arena;
  const KnownKey& known = kKnownKeys[id];
  const std::string_view key =
      known.of_architecture ? KeyOf(context, architecture, known.name) : known.name;
  const auto small = static_cast<std::uint16_t>(random.Between(1, 64));
  const bool array = random.OneIn(2);
  switch (known.shape) {
    case KeyShape::kString:
      AddText(context, key, "model");
      return;
    case KeyShape::kBool:
      AddNumber(context, key, array);
      return;
    case KeyShape::kU16:
      AddNumber(context, key, small);
      return;
    case KeyShape::kU32:
      AddNumber<std::uint32_t>(context, key, small);
      return;
    case KeyShape::kI32:
      AddNumber<std::int32_t>(context, key, small);
      return;
    case KeyShape::kF32:
      return AddFloat(context, key);
    case KeyShape::kLayerFloats:
      if (!array) return AddFloat(context, key);
      [[fallthrough]];
    case KeyShape::kF32s:
      AddEntry(context.draft, ArrayEntry<float>(arena, key, count, [] { return 0.25F; }));
      return;
    case KeyShape::kLayerBools:
      AddEntry(context.draft,
               array ? ArrayEntry<bool>(arena, key, count, [&] { return random.OneIn(2); })
                     : NumberEntry(arena, key, true));
      return;
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
    case KeyShape::kInteger:
      if (known.shape == KeyShape::kInteger || !array) return AddInteger(context, key, small);
      [[fallthrough]];
    case KeyShape::kIntegers:
    case KeyShape::kI32s:
      AddEntry(context.draft,
               ArrayEntry<std::int32_t>(arena, key, count, [&] { return std::int32_t{small}; }));
      return;
    case KeyShape::kStrings:
      AddEntry(context.draft, TextArrayEntry(arena, key, count, 8, [] { return "text"; }));
      return;
    case KeyShape::kBytes:
      AddEntry(context.draft,
               ArrayEntry<std::uint8_t>(arena, key, count, [] { return std::uint8_t{0}; }));
      return;
  }
}

void GenerateModel(MutationContext& context) {
  Random& random = context.random;
  const std::string_view architecture =
      random.OneIn(2) ? random.Pick(kArchitectures) : random.Pick(AllArchitectures()).name;
  const auto layers = static_cast<std::uint16_t>(random.Between(1, 3));
  const auto heads = static_cast<std::uint16_t>(random.Between(1, 4));
  const auto width = static_cast<std::uint16_t>(heads * random.Between(1, 4));
  AddText(context, kArchitectureKey, architecture);
  AddInteger(context, KeyOf(context, architecture, "block_count"), layers);
  AddInteger(context, KeyOf(context, architecture, "embedding_length"), width);
  AddInteger(context, KeyOf(context, architecture, "attention.head_count"), heads);
  if (random.OneIn(4)) {
    AddInteger(context, KeyOf(context, architecture, "expert_count"), 4);
    AddInteger(context, KeyOf(context, architecture, "expert_used_count"), 2);
  }
  for (std::uint64_t i = random.Below(4); i > 0; --i) {
    AddKnownValue(context, random.Below(kKnownKeys.size()), architecture, layers);
  }
  if (random.OneIn(2)) AddBlocks(context, layers, width);
}

void GenerateAdapter(MutationContext& context) {
  Random& random = context.random;
  AddText(context, "general.type", "adapter");
  AddText(context, "adapter.type", "lora");
  AddFloat(context, "adapter.lora.alpha");
  const std::uint64_t rank = random.Between(1, 4);
  std::size_t at = random.Below(kBlockNames.size());
  for (std::uint64_t i = random.Between(1, 2); i > 0; --i, ++at) {
    for (const std::string_view half : {".lora_a", ".lora_b"}) {
      Tensor tensor{
          .name = Joined(context.arena, {"blk.0", kBlockNames[at % kBlockNames.size()], half}),
          .dimension_count = 2,
          .type = kF32};
      const bool is_a = half == ".lora_a";
      tensor.dims = {is_a ? 4 : rank, is_a ? rank : 4, 1, 1, 1};
      if (tensor.name.find("_exps.") != std::string_view::npos) {
        tensor.dimension_count = 3;  // one matrix per expert
        tensor.dims[2] = 4;
      }
      AddNoiseTensor(context, tensor);
    }
  }
}

void GenerateControlVector(MutationContext& context) {
  constexpr std::array<std::string_view, 4> kNames = {"direction.1", "direction.2", "direction.512",
                                                      "direction.31"};
  if (context.random.OneIn(2)) {
    AddText(context, kArchitectureKey, "controlvector");
  }
  std::size_t at = context.random.Below(kNames.size());
  for (std::uint64_t i = context.random.Between(1, 3); i > 0; --i, ++at) {
    Tensor tensor{.name = kNames[at % kNames.size()], .dimension_count = 1, .type = kF32};
    tensor.dims[0] = 8;
    AddNoiseTensor(context, tensor);
  }
}

void GenerateProjector(MutationContext& context) {
  Random& random = context.random;
  AddText(context, kArchitectureKey, "clip");
  AddText(context, "general.type", "mmproj");
  AddNumber(context, "clip.has_vision_encoder", true);
  constexpr std::size_t kFirst = IdOf("clip.has_vision_encoder");
  constexpr std::size_t kLast = IdOf("clip.audio.projector.stack_factor");
  std::size_t id = random.Between(kFirst + 1, kLast);
  for (std::uint64_t i = random.Between(2, 6); i > 0; --i, ++id) {
    // Three colours. For pinpoints that is one too many, so Repair drops them.
    AddKnownValue(context, id > kLast ? kFirst + (id - kLast) : id, "clip", 3);
  }
  Tensor tensor{.name = "v.patch_embd.weight", .dimension_count = 4, .type = kF32};
  tensor.dims = {2, 2, 3, 1, 1};
  AddNoiseTensor(context, tensor);
}

void GenerateShard(MutationContext& context) {
  Random& random = context.random;
  const auto count = static_cast<std::uint16_t>(random.Below(4));
  const auto number = static_cast<std::uint16_t>(random.Below(count));
  AddNumber(context, "split.no", number);
  AddNumber(context, "split.count", count);
  AddNumber<std::int32_t>(context, "split.tensors.count", 1);
  if (random.OneIn(2)) AddBlocks(context, 1, 4);
}

}  // namespace ggufgate::mutate

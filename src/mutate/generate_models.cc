// Models with their hyper-parameters, and what goes with models.

#include <array>

#include "format/architecture.h"
#include "format/tensor_type.h"
#include "mutate/compose.h"
#include "mutate/generate_parts.h"
#include "mutate/known_key.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::string_view, 4> kArchitectures = {"llama", "qwen3", "gemma3", "test"};
constexpr std::array<std::string_view, 6> kBlockNames = {".attn_q.weight",   ".attn_k.weight",
                                                         ".ffn_up.weight",   ".attn_norm.weight",
                                                         ".ffn_gate.weight", ".attn_output.weight"};
constexpr std::array<std::string_view, 4> kDigits = {"0", "1", "2", "3"};

constexpr auto kF32 = static_cast<std::uint32_t>(TensorType::kF32);

std::string_view KeyOf(Bench& bench, std::string_view architecture, std::string_view name) {
  return Joined(bench.scratch, {architecture, ".", name});
}

// AddInteger adds a number in any integer type that holds it.
void AddInteger(Bench& bench, std::string_view key, std::uint16_t value) {
  switch (bench.random.Below(16)) {
    case 0:
      AddEntry(bench.draft, NumberEntry(bench.scratch, key, value));
      return;
    case 1:
      AddEntry(bench.draft, NumberEntry<std::uint64_t>(bench.scratch, key, value));
      return;
    case 2:
      AddEntry(bench.draft, NumberEntry<std::int64_t>(bench.scratch, key, value));
      return;
    case 3:
      AddEntry(bench.draft, NumberEntry<std::int32_t>(bench.scratch, key, value));
      return;
    default:
      AddEntry(bench.draft, NumberEntry<std::uint32_t>(bench.scratch, key, value));
      return;
  }
}

void AddFloat(Bench& bench, std::string_view key) {
  constexpr std::array<float, 6> kValues = {1e-5F, 1.0F, 10000.0F, 0.5F, -0.0F, 1e-40F};
  AddEntry(bench.draft, NumberEntry(bench.scratch, key, bench.random.Pick(kValues)));
}

void AddBlocks(Bench& bench, std::uint64_t layers, std::uint64_t width) {
  for (std::uint64_t layer = 0; layer < layers && layer < kDigits.size(); ++layer) {
    Tensor tensor{
        .name = Joined(bench.scratch, {"blk.", kDigits[layer], bench.random.Pick(kBlockNames)}),
        .dimension_count = 1,
        .type = kF32};
    tensor.dims[0] = width;
    AddTensor(bench, tensor);
  }
}

}  // namespace

void AddKnownValue(Bench& bench, std::size_t id, std::string_view architecture,
                   std::uint64_t count) {
  Random& random = bench.random;
  Scratch& scratch = bench.scratch;
  const KnownKey& known = kKnownKeys[id];
  const std::string_view key =
      known.of_architecture ? KeyOf(bench, architecture, known.name) : known.name;
  const auto small = static_cast<std::uint16_t>(random.Between(1, 64));
  const bool array = random.OneIn(2);
  switch (known.shape) {
    case KeyShape::kString:
      AddEntry(bench.draft, TextEntry(scratch, key, "model"));
      return;
    case KeyShape::kBool:
      AddEntry(bench.draft, NumberEntry(scratch, key, array));
      return;
    case KeyShape::kU16:
      AddEntry(bench.draft, NumberEntry(scratch, key, small));
      return;
    case KeyShape::kU32:
      AddEntry(bench.draft, NumberEntry<std::uint32_t>(scratch, key, small));
      return;
    case KeyShape::kI32:
      AddEntry(bench.draft, NumberEntry<std::int32_t>(scratch, key, small));
      return;
    case KeyShape::kF32:
      return AddFloat(bench, key);
    case KeyShape::kLayerFloats:
      if (!array) return AddFloat(bench, key);
      [[fallthrough]];
    case KeyShape::kF32s:
      AddEntry(bench.draft, ArrayEntry<float>(scratch, key, count, [] { return 0.25F; }));
      return;
    case KeyShape::kLayerBools:
      AddEntry(bench.draft,
               array ? ArrayEntry<bool>(scratch, key, count, [&] { return random.OneIn(2); })
                     : NumberEntry(scratch, key, true));
      return;
    case KeyShape::kLayerIntegers:
    case KeyShape::kOneOrMoreIntegers:
    case KeyShape::kInteger:
      if (known.shape == KeyShape::kInteger || !array) return AddInteger(bench, key, small);
      [[fallthrough]];
    case KeyShape::kIntegers:
    case KeyShape::kI32s:
      AddEntry(bench.draft,
               ArrayEntry<std::int32_t>(scratch, key, count, [&] { return std::int32_t{small}; }));
      return;
    case KeyShape::kStrings:
      AddEntry(bench.draft, TextArrayEntry(scratch, key, count, 8, [] { return "text"; }));
      return;
    case KeyShape::kBytes:
      AddEntry(bench.draft,
               ArrayEntry<std::uint8_t>(scratch, key, count, [] { return std::uint8_t{0}; }));
      return;
  }
}

void GenerateModel(Bench& bench) {
  Random& random = bench.random;
  const std::string_view architecture =
      random.OneIn(2) ? random.Pick(kArchitectures) : random.Pick(AllArchitectures()).name;
  const auto layers = static_cast<std::uint16_t>(random.Between(1, 3));
  const auto heads = static_cast<std::uint16_t>(random.Between(1, 4));
  const auto width = static_cast<std::uint16_t>(heads * random.Between(1, 4));
  AddEntry(bench.draft, TextEntry(bench.scratch, kArchitectureKey, architecture));
  AddInteger(bench, KeyOf(bench, architecture, "block_count"), layers);
  AddInteger(bench, KeyOf(bench, architecture, "embedding_length"), width);
  AddInteger(bench, KeyOf(bench, architecture, "attention.head_count"), heads);
  if (random.OneIn(4)) {
    AddInteger(bench, KeyOf(bench, architecture, "expert_count"), 4);
    AddInteger(bench, KeyOf(bench, architecture, "expert_used_count"), 2);
  }
  for (std::uint64_t i = random.Below(4); i > 0; --i) {
    AddKnownValue(bench, random.Below(kKnownKeys.size()), architecture, layers);
  }
  if (random.OneIn(2)) AddBlocks(bench, layers, width);
}

void GenerateAdapter(Bench& bench) {
  Random& random = bench.random;
  AddEntry(bench.draft, TextEntry(bench.scratch, "general.type", "adapter"));
  AddEntry(bench.draft, TextEntry(bench.scratch, "adapter.type", "lora"));
  AddFloat(bench, "adapter.lora.alpha");
  const std::uint64_t rank = random.Between(1, 4);
  std::size_t at = random.Below(kBlockNames.size());
  for (std::uint64_t i = random.Between(1, 2); i > 0; --i, ++at) {
    for (const std::string_view half : {".lora_a", ".lora_b"}) {
      Tensor tensor{
          .name = Joined(bench.scratch, {"blk.0", kBlockNames[at % kBlockNames.size()], half}),
          .dimension_count = 2,
          .type = kF32};
      const bool is_a = half == ".lora_a";
      tensor.dims = {is_a ? 4 : rank, is_a ? rank : 4, 1, 1, 1};
      AddTensor(bench, tensor);
    }
  }
}

void GenerateControlVector(Bench& bench) {
  constexpr std::array<std::string_view, 4> kNames = {"direction.1", "direction.2", "direction.512",
                                                      "direction.31"};
  if (bench.random.OneIn(2)) {
    AddEntry(bench.draft, TextEntry(bench.scratch, kArchitectureKey, "controlvector"));
  }
  std::size_t at = bench.random.Below(kNames.size());
  for (std::uint64_t i = bench.random.Between(1, 3); i > 0; --i, ++at) {
    Tensor tensor{.name = kNames[at % kNames.size()], .dimension_count = 1, .type = kF32};
    tensor.dims[0] = 8;
    AddTensor(bench, tensor);
  }
}

void GenerateProjector(Bench& bench) {
  Random& random = bench.random;
  AddEntry(bench.draft, TextEntry(bench.scratch, kArchitectureKey, "clip"));
  AddEntry(bench.draft, TextEntry(bench.scratch, "general.type", "mmproj"));
  AddEntry(bench.draft, NumberEntry(bench.scratch, "clip.has_vision_encoder", true));
  constexpr std::size_t kFirst = IdOf("clip.has_vision_encoder");
  constexpr std::size_t kLast = IdOf("clip.audio.projector.stack_factor");
  std::size_t id = random.Between(kFirst + 1, kLast);
  for (std::uint64_t i = random.Between(2, 6); i > 0; --i, ++id) {
    // Three colours; as pinpoints one too many, which Repair drops.
    AddKnownValue(bench, id > kLast ? kFirst + (id - kLast) : id, "clip", 3);
  }
  Tensor tensor{.name = "v.patch_embd.weight", .dimension_count = 4, .type = kF32};
  tensor.dims = {2, 2, 3, 1, 1};
  AddTensor(bench, tensor);
}

void GenerateShard(Bench& bench) {
  Random& random = bench.random;
  const auto count = static_cast<std::uint16_t>(random.Below(4));
  const auto number = static_cast<std::uint16_t>(random.Below(count));
  AddEntry(bench.draft, NumberEntry(bench.scratch, "split.no", number));
  AddEntry(bench.draft, NumberEntry(bench.scratch, "split.count", count));
  AddEntry(bench.draft, NumberEntry<std::int32_t>(bench.scratch, "split.tensors.count", 1));
  if (random.OneIn(2)) AddBlocks(bench, 1, 4);
}

}  // namespace ggufgate::mutate

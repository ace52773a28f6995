// Lies that crash a loader, or exhaust memory, before it computes anything.

#include <algorithm>
#include <array>

#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kLoaderRoom = kRoomForKeys;

bool Any(const ArchitectureInfo&) { return true; }

// GoesWithAModel is true for tensors of adapters, importance matrices and control vectors. A file
// with only such tensors is not checked as a model.
bool GoesWithAModel(const Tensor& tensor) {
  constexpr std::array<std::string_view, 4> kEndings = {".lora_a", ".lora_b", ".in_sum2",
                                                        ".counts"};
  return tensor.name.starts_with("direction.") ||
         std::ranges::any_of(
             kEndings, [&](std::string_view ending) { return tensor.name.ends_with(ending); });
}

}  // namespace

bool LieEmbeddingZero(MutationContext& context) {
  const auto architecture = SomeArchitecture(context, Any, kLoaderRoom);
  if (!architecture) return false;
  const std::string_view key = KeyFor(context, *architecture, "embedding_length");
  return TellEntry(context, NumberEntry<std::uint32_t>(context.arena, key, 0), Part::kValue);
}

bool LieDivisorMissing(MutationContext& context) {
  constexpr std::array<std::string_view, 2> kNames = {"olmo2", "phimoe"};
  if (!MakeRoom(context, kLoaderRoom)) return false;
  const std::string_view name = context.random.Pick(kNames);
  context.draft.tensors.Keep([](const Tensor& tensor) { return !GoesWithAModel(tensor); });
  if (!SetArchitecture(context, name)) return false;
  for (const std::string_view key : {"split.no", "split.count"}) DropKey(context.draft, key);
  DropKey(context.draft, KeyFor(context, {.name = name}, "attention.head_count"));
  return Tell(context, kArchitectureKey, Part::kValue);
}

bool LieMemoryDemand(MutationContext& context) {
  constexpr std::array<std::uint32_t, 4> kLarge = {UINT32_MAX, 0x8000'0000, 0x7FFF'FFFF,
                                                   0x6000'0000};
  const auto architecture = SomeArchitecture(context, Any, kLoaderRoom);
  if (!architecture) return false;
  const std::string_view name =
      context.random.OneIn(2) ? "attention.sliding_window" : "embedding_length_out";
  const std::string_view key = KeyFor(context, *architecture, name);
  return TellEntry(context,
                   NumberEntry<std::uint32_t>(context.arena, key, context.random.Pick(kLarge)),
                   Part::kValue);
}

// The data begin 16 bytes after a multiple of 32, which an alignment of 16 allows.
bool LieDataBegin(MutationContext& context) {
  constexpr std::uint32_t kAlignment = 16;
  constexpr std::string_view kFilling = "filling filling filling filling ";
  constexpr std::string_view kKey = "general.filling";
  if (!MakeRoom(context, kLoaderRoom)) return false;
  Tensor tensor{.name = "data.begin",
                .dimension_count = 1,
                .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = 8;
  if (context.draft.tensors.empty() && !AddLyingTensor(context, tensor)) return false;
  DropKey(context.draft, kKey);
  if (!SetNumber<std::uint32_t>(context, kAlignmentKey, kAlignment)) return false;
  const std::uint64_t end = DirectoryEnd(context.draft) + 8 + kKey.size() + 4 + 8;
  const std::uint64_t over = end % kDefaultAlignment;
  const std::uint64_t up_to_one = (kDefaultAlignment + 1 - over) % kDefaultAlignment;
  const std::uint64_t missing = over > 0 && over <= kAlignment ? 0 : up_to_one;
  if (!SetText(context, kKey, kFilling.substr(0, static_cast<std::size_t>(missing)))) {
    return false;
  }
  context.draft.alignment = kAlignment;
  LayOut(context.draft);
  if (!context.Write()) return false;
  context.lie_at = context.placement.tensors[0];
  return true;
}

}  // namespace ggufgate::mutate

// Lies about projectors, adapters, control vectors and shards.

#include <array>

#include "format/loader_limits.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/known_key.h"
#include "mutate/build/records.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kSidecarRoom = kRoomForKeys;

Tensor TensorNamed(std::string_view name, std::uint64_t width) {
  Tensor tensor{
      .name = name, .dimension_count = 1, .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = width;
  return tensor;
}

// HasHalf returns whether the file has the half with this name, which ends with its letter, or the
// other half.
bool HasHalf(const MutationContext& context, std::string_view name) {
  const std::string_view pair = name.substr(0, name.size() - 1);
  return std::ranges::any_of(context.draft.tensors, [&](const Tensor& tensor) {
    return tensor.name.size() == name.size() && tensor.name.starts_with(pair);
  });
}

// AddDirection turns the file into a control vector, and adds a tensor.
bool AddDirection(MutationContext& context, const Tensor& tensor, TensorPart part) {
  return SetArchitecture(context, "controlvector") && AddLyingTensor(context, tensor) &&
         TellTensor(context, part);
}

}  // namespace

bool LieProjectorType(MutationContext& context) {
  if (!MakeRoom(context, kSidecarRoom)) return false;
  std::size_t id = context.random.Below(kKnownKeys.size());
  while (!kKnownKeys[id].name.starts_with("clip.")) id = (id + 1) % kKnownKeys.size();
  const KnownKey& known = kKnownKeys[id];
  return TellEntry(context, MisshapenEntry(context, known.name, known.shape, 3), Part::kType);
}

bool LieProjectorRange(MutationContext& context) {
  struct Most {
    std::string_view key;
    std::uint32_t value;
  };
  constexpr std::array<Most, 6> kMost = {{{"clip.vision.block_count", kMostLayers},
                                          {"clip.audio.block_count", kMostLayers},
                                          {"clip.vision.image_size", kLongestImageEdge},
                                          {"clip.vision.preproc_image_size", kLongestImageEdge},
                                          {"clip.vision.image_min_pixels", kMostImagePixels},
                                          {"clip.vision.image_max_pixels", kMostImagePixels}}};
  if (!MakeRoom(context, kSidecarRoom)) return false;
  const Most& most = context.random.Pick(kMost);
  const std::array<std::uint32_t, 3> values = {most.value + 1, UINT32_MAX, INT32_MAX};
  const std::uint32_t value = context.random.Pick(values);
  const bool set = context.random.OneIn(4) ? SetNumber(context, most.key, std::int8_t{-1})
                                           : SetNumber(context, most.key, value);
  return set && Tell(context, most.key, Part::kValue);
}

bool LieProjectorArray(MutationContext& context) {
  constexpr std::array<std::string_view, 3> kKeys = {
      "clip.vision.image_mean", "clip.vision.image_std", "clip.vision.image_grid_pinpoints"};
  constexpr std::array<std::uint64_t, 4> kColours = {0, 1, 2, 4};
  if (!MakeRoom(context, kSidecarRoom)) return false;
  const std::string_view key = context.random.Pick(kKeys);
  const bool pairs = key == kKeys.back();
  const std::uint64_t count =
      pairs ? 2 * context.random.Below(8) + 1 : context.random.Pick(kColours);
  const ValueType element = pairs ? ValueType::kI32 : ValueType::kF32;
  return TellEntry(context, PlainArray(context, key, element, count), Part::kCount);
}

bool LieAdapterHalf(MutationContext& context) {
  constexpr std::array<std::string_view, 4> kNames = {
      "blk.0.attn_lie.weight.lora_a", "blk.0.attn_lie.weight.lora_b", ".lora_a", ".lora_b"};
  if (!MakeRoom(context, kSidecarRoom)) return false;
  const std::string_view name = context.random.Pick(kNames);
  if (HasHalf(context, name)) return false;  // two halves would not be a lie
  const bool is_adapter = context.random.OneIn(2);
  return SetEntry(context.draft, is_adapter ? TextEntry(context.arena, "general.type", "adapter")
                                            : TextEntry(context.arena, "adapter.type", "lora")) &&
         AddLyingTensor(context, TensorNamed(name, 4)) && TellTensor(context, TensorPart::kName);
}

bool LieAdapterKernel(MutationContext& context) {
  constexpr std::array kTypes = {TensorType::kI8, TensorType::kI32, TensorType::kF64};
  constexpr std::string_view kA = "blk.0.attn_lie.weight.lora_a";
  if (!MakeRoom(context, kSidecarRoom) || HasHalf(context, kA)) return false;
  Tensor a = TensorNamed(kA, 4);
  Tensor b = TensorNamed("blk.0.attn_lie.weight.lora_b", 1);
  b.dimension_count = 2;
  b.dims[1] = 4;
  const bool kernel = context.random.OneIn(2);
  if (kernel) {
    b.type = static_cast<std::uint32_t>(context.random.Pick(kTypes));
  } else {
    b.dimension_count = 4;
    b.dims[3] = 2;
  }
  return SetText(context, "adapter.type", "lora") && AddLyingTensor(context, a) &&
         AddLyingTensor(context, b) &&
         TellTensor(context, kernel ? TensorPart::kType : TensorPart::kDimensions);
}

bool LieDirectionLayer(MutationContext& context) {
  constexpr std::array<std::string_view, 8> kNames = {
      "direction.0",  "direction.513", "direction.4294967297",           "direction.",
      "direction.-1", "direction.1x",  "direction.18446744073709551617", "direction. 1"};
  if (!MakeRoom(context, kSidecarRoom)) return false;
  return AddDirection(context, TensorNamed(context.random.Pick(kNames), 8), TensorPart::kName);
}

bool LieDirectionShape(MutationContext& context) {
  if (!MakeRoom(context, kSidecarRoom)) return false;
  Tensor tensor = TensorNamed("direction.1", 8);
  if (context.random.OneIn(2)) {
    tensor.type = static_cast<std::uint32_t>(TensorType::kF16);
    tensor.dims[0] = 16;
    return AddDirection(context, tensor, TensorPart::kType);
  }
  tensor.dimension_count = static_cast<std::uint32_t>(context.random.Between(2, 4));
  tensor.dims[0] = 4;
  tensor.dims[tensor.dimension_count - 1] = 2;
  return AddDirection(context, tensor, TensorPart::kDimensions);
}

bool LieShardType(MutationContext& context) {
  struct Field {
    std::string_view key;
    KeyShape shape;
  };
  constexpr std::array<Field, 3> kFields = {{{"split.no", KeyShape::kU16},
                                             {"split.count", KeyShape::kU16},
                                             {"split.tensors.count", KeyShape::kI32}}};
  if (!MakeRoom(context, kSidecarRoom)) return false;
  const Field& field = context.random.Pick(kFields);
  return TellEntry(context, MisshapenEntry(context, field.key, field.shape, 1), Part::kType);
}

bool LieShardNumber(MutationContext& context) {
  if (!MakeRoom(context, kSidecarRoom)) return false;
  Random& random = context.random;
  if (random.OneIn(4)) {
    constexpr std::string_view kTensors = "split.tensors.count";
    return TellEntry(context, NumberEntry(context.arena, kTensors, std::int32_t{-1}), Part::kValue);
  }
  const auto count = static_cast<std::uint16_t>(random.Between(1, 8));
  const auto number = static_cast<std::uint16_t>(random.OneIn(2) ? count : UINT16_MAX);
  return SetNumber(context, "split.count", count) &&
         TellEntry(context, NumberEntry(context.arena, "split.no", number), Part::kValue);
}

bool LieShardTensors(MutationContext& context) {
  constexpr std::string_view kTensors = "split.tensors.count";
  if (!MakeRoom(context, kSidecarRoom)) return false;
  const auto here = static_cast<std::int32_t>(context.draft.tensors.size());
  const bool fewer = here > 0 && context.random.OneIn(2);  // fewer than this file has
  const std::uint16_t count = fewer && context.random.OneIn(2) ? 2 : 1;
  return SetNumber(context, "split.no", std::uint16_t{0}) &&
         SetNumber(context, "split.count", count) &&
         TellEntry(context, NumberEntry(context.arena, kTensors, fewer ? here - 1 : here + 1),
                   Part::kValue);
}

}  // namespace ggufgate::mutate

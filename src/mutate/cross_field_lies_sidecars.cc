// Lies about projectors, adapters, control vectors and shards.

#include <array>

#include "format/tensor_type.h"
#include "mutate/compose.h"
#include "mutate/known_key.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = 512;

Tensor TensorNamed(std::string_view name, std::uint64_t width) {
  Tensor tensor{
      .name = name, .dimension_count = 1, .type = static_cast<std::uint32_t>(TensorType::kF32)};
  tensor.dims[0] = width;
  return tensor;
}

// HasHalf tells whether a half of this name, which ends with its letter, is there, or the other
// one.
bool HasHalf(const Bench& bench, std::string_view name) {
  const std::string_view pair = name.substr(0, name.size() - 1);
  return std::ranges::any_of(bench.draft.tensors, [&](const Tensor& tensor) {
    return tensor.name.size() == name.size() && tensor.name.starts_with(pair);
  });
}

// AddDirection adds a tensor to what a control vector is made of.
bool AddDirection(Bench& bench, const Tensor& tensor, TensorPart part) {
  return SetArchitecture(bench, "controlvector") && AddLyingTensor(bench, tensor) &&
         TellTensor(bench, part);
}

}  // namespace

bool LieProjectorType(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  std::size_t id = bench.random.Below(kKnownKeys.size());
  while (!kKnownKeys[id].name.starts_with("clip.")) id = (id + 1) % kKnownKeys.size();
  const KnownKey& known = kKnownKeys[id];
  return SetEntry(bench.draft, MisshapenEntry(bench, known.name, known.shape, 3)) &&
         Tell(bench, known.name, Part::kType);
}

bool LieProjectorRange(Bench& bench) {
  struct Most {
    std::string_view key;
    std::uint32_t value;
  };
  constexpr std::array<Most, 6> kMost = {{{"clip.vision.block_count", 512},
                                          {"clip.audio.block_count", 512},
                                          {"clip.vision.image_size", 1 << 14},
                                          {"clip.vision.preproc_image_size", 1 << 14},
                                          {"clip.vision.image_min_pixels", 1 << 28},
                                          {"clip.vision.image_max_pixels", 1 << 28}}};
  if (!MakeRoom(bench, kRoom)) return false;
  const Most& most = bench.random.Pick(kMost);
  const std::array<std::uint32_t, 3> values = {most.value + 1, UINT32_MAX, INT32_MAX};
  const std::uint32_t value = bench.random.Pick(values);
  const bool set =
      bench.random.OneIn(4)
          ? SetEntry(bench.draft, NumberEntry(bench.scratch, most.key, std::int8_t{-1}))
          : SetEntry(bench.draft, NumberEntry(bench.scratch, most.key, value));
  return set && Tell(bench, most.key, Part::kValue);
}

bool LiePatchSizeZero(Bench& bench) {
  constexpr std::string_view kKey = "clip.vision.patch_size";
  if (!MakeRoom(bench, kRoom)) return false;
  return SetEntry(bench.draft, NumberEntry(bench.scratch, kKey, std::uint32_t{0})) &&
         Tell(bench, kKey, Part::kValue);
}

bool LieProjectorArray(Bench& bench) {
  constexpr std::array<std::string_view, 3> kKeys = {
      "clip.vision.image_mean", "clip.vision.image_std", "clip.vision.image_grid_pinpoints"};
  constexpr std::array<std::uint64_t, 4> kColours = {0, 1, 2, 4};
  if (!MakeRoom(bench, kRoom)) return false;
  const std::string_view key = bench.random.Pick(kKeys);
  const bool pairs = key == kKeys.back();
  const std::uint64_t count = pairs ? 2 * bench.random.Below(8) + 1 : bench.random.Pick(kColours);
  const ValueType element = pairs ? ValueType::kI32 : ValueType::kF32;
  return SetEntry(bench.draft, PlainArray(bench, key, element, count)) &&
         Tell(bench, key, Part::kCount);
}

bool LieAdapterHalf(Bench& bench) {
  constexpr std::array<std::string_view, 4> kNames = {
      "blk.0.attn_lie.weight.lora_a", "blk.0.attn_lie.weight.lora_b", ".lora_a", ".lora_b"};
  if (!MakeRoom(bench, kRoom)) return false;
  const std::string_view name = bench.random.Pick(kNames);
  if (HasHalf(bench, name)) return false;  // two halves would be no lie
  const bool is_adapter = bench.random.OneIn(2);
  return SetEntry(bench.draft, is_adapter ? TextEntry(bench.scratch, "general.type", "adapter")
                                          : TextEntry(bench.scratch, "adapter.type", "lora")) &&
         AddLyingTensor(bench, TensorNamed(name, 4)) && TellTensor(bench, TensorPart::kName);
}

bool LieAdapterKernel(Bench& bench) {
  constexpr std::array kTypes = {TensorType::kI8, TensorType::kI32, TensorType::kF64};
  constexpr std::string_view kA = "blk.0.attn_lie.weight.lora_a";
  if (!MakeRoom(bench, kRoom) || HasHalf(bench, kA)) return false;
  Tensor a = TensorNamed(kA, 4);
  Tensor b = TensorNamed("blk.0.attn_lie.weight.lora_b", 1);
  b.dimension_count = 2;
  b.dims[1] = 4;
  const bool kernel = bench.random.OneIn(2);
  if (kernel) {
    b.type = static_cast<std::uint32_t>(bench.random.Pick(kTypes));
  } else {
    b.dimension_count = 4;
    b.dims[3] = 2;
  }
  return SetEntry(bench.draft, TextEntry(bench.scratch, "adapter.type", "lora")) &&
         AddLyingTensor(bench, a) && AddLyingTensor(bench, b) &&
         TellTensor(bench, kernel ? TensorPart::kType : TensorPart::kDimensions);
}

bool LieDirectionLayer(Bench& bench) {
  constexpr std::array<std::string_view, 8> kNames = {
      "direction.0",  "direction.513", "direction.4294967297",           "direction.",
      "direction.-1", "direction.1x",  "direction.18446744073709551617", "direction. 1"};
  if (!MakeRoom(bench, kRoom)) return false;
  return AddDirection(bench, TensorNamed(bench.random.Pick(kNames), 8), TensorPart::kName);
}

bool LieDirectionShape(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  Tensor tensor = TensorNamed("direction.1", 8);
  if (bench.random.OneIn(2)) {
    tensor.type = static_cast<std::uint32_t>(TensorType::kF16);
    tensor.dims[0] = 16;
    return AddDirection(bench, tensor, TensorPart::kType);
  }
  tensor.dimension_count = static_cast<std::uint32_t>(bench.random.Between(2, 4));
  tensor.dims[0] = 4;
  tensor.dims[tensor.dimension_count - 1] = 2;
  return AddDirection(bench, tensor, TensorPart::kDimensions);
}

bool LieShardType(Bench& bench) {
  struct Field {
    std::string_view key;
    KeyShape shape;
  };
  constexpr std::array<Field, 3> kFields = {{{"split.no", KeyShape::kU16},
                                             {"split.count", KeyShape::kU16},
                                             {"split.tensors.count", KeyShape::kI32}}};
  if (!MakeRoom(bench, kRoom)) return false;
  const Field& field = bench.random.Pick(kFields);
  return SetEntry(bench.draft, MisshapenEntry(bench, field.key, field.shape, 1)) &&
         Tell(bench, field.key, Part::kType);
}

bool LieShardNumber(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  Random& random = bench.random;
  if (random.OneIn(4)) {
    constexpr std::string_view kTensors = "split.tensors.count";
    return SetEntry(bench.draft, NumberEntry(bench.scratch, kTensors, std::int32_t{-1})) &&
           Tell(bench, kTensors, Part::kValue);
  }
  const auto count = static_cast<std::uint16_t>(random.Between(1, 8));
  const auto number = static_cast<std::uint16_t>(random.OneIn(2) ? count : UINT16_MAX);
  return SetEntry(bench.draft, NumberEntry(bench.scratch, "split.count", count)) &&
         SetEntry(bench.draft, NumberEntry(bench.scratch, "split.no", number)) &&
         Tell(bench, "split.no", Part::kValue);
}

bool LieShardTensors(Bench& bench) {
  constexpr std::string_view kTensors = "split.tensors.count";
  if (!MakeRoom(bench, kRoom)) return false;
  const auto here = static_cast<std::int32_t>(bench.draft.tensors.size());
  const bool fewer = here > 0 && bench.random.OneIn(2);  // than this file alone has
  const std::uint16_t count = fewer && bench.random.OneIn(2) ? 2 : 1;
  return SetEntry(bench.draft, NumberEntry(bench.scratch, "split.no", std::uint16_t{0})) &&
         SetEntry(bench.draft, NumberEntry(bench.scratch, "split.count", count)) &&
         SetEntry(bench.draft, NumberEntry(bench.scratch, kTensors, fewer ? here - 1 : here + 1)) &&
         Tell(bench, kTensors, Part::kValue);
}

}  // namespace ggufgate::mutate

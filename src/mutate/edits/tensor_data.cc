// Edits of tensor data. Afterwards, Repair makes numbers finite, and corrects the size of the data.

#include <algorithm>
#include <array>
#include <utility>

#include "format/tensors/tensor_type.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/edits/leaf.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::uint8_t, 6> kFills = {0x00, 0x01, 0x3F, 0x7F, 0x80, 0xFF};

Tensor* AnyData(MutationContext& context) {
  return AnyOf(context.draft.tensors, context.random,
               [](const Tensor& tensor) { return !tensor.data.empty(); });
}

// Own returns a writable copy of a tensor's data; empty without room.
MutableBytes Own(MutationContext& context, Tensor& tensor) {
  const MutableBytes data = context.arena.Copy(tensor.data);
  if (!data.empty()) tensor.data = data;
  return data;
}

// OwnAny returns a writable copy of some tensor's data; empty if no tensor has data.
MutableBytes OwnAny(MutationContext& context) {
  Tensor* const tensor = AnyData(context);
  return tensor != nullptr ? Own(context, *tensor) : MutableBytes();
}

// AnyRun returns a part of some bytes, usually a small one.
MutableBytes AnyRun(Random& random, MutableBytes bytes) {
  const std::size_t at = random.Below(bytes.size());
  const std::size_t most = random.OneIn(4) ? bytes.size() - at : std::size_t{32};
  return bytes.subspan(at, random.Between(1, std::min(most, bytes.size() - at)));
}

std::size_t BlockBytes(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type == nullptr ? 1 : type->block_bytes;
}

}  // namespace

bool EditDataBytes(MutationContext& context) {
  Tensor* tensor = AnyData(context);
  if (tensor == nullptr) return false;
  const MutableBytes data = ChangeLeaf(context, tensor->data, tensor->data.size());
  if (data.empty()) return false;
  tensor->data = data;
  return true;
}

bool EditDataRun(MutationContext& context) {
  const MutableBytes data = OwnAny(context);
  if (data.empty()) return false;
  const MutableBytes run = AnyRun(context.random, data);
  std::ranges::fill(run, context.random.Pick(kFills));
  return true;
}

bool EditDataNoise(MutationContext& context) {
  const MutableBytes data = OwnAny(context);
  if (data.empty()) return false;
  for (std::uint8_t& byte : AnyRun(context.random, data)) {
    byte = static_cast<std::uint8_t>(context.random.Next());
  }
  return true;
}

bool EditDataScale(MutationContext& context) {
  Tensor* tensor = AnyData(context);
  if (tensor == nullptr || tensor->data.size() < BlockBytes(*tensor)) return false;
  const MutableBytes data = Own(context, *tensor);
  if (data.empty()) return false;
  // In most blocks, the scale is the first two bytes or the last two.
  const std::size_t size = BlockBytes(*tensor);
  const std::size_t block = context.random.Below(data.size() / size) * size;
  const std::size_t width = std::min<std::size_t>(size, 2);
  const std::size_t at = block + (context.random.OneIn(2) ? 0 : size - width);
  const std::uint64_t bits = FloatBits(context.random, 4) >> 16;  // a bfloat16, or arbitrary bits
  Store(static_cast<std::uint8_t>(bits), ByteOrder::kLittle, data.subspan(at));
  if (width == 2) Store(static_cast<std::uint16_t>(bits), ByteOrder::kLittle, data.subspan(at));
  return true;
}

bool EditDataBlock(MutationContext& context) {
  Tensor* tensor = AnyData(context);
  if (tensor == nullptr || tensor->data.size() < 2 * BlockBytes(*tensor)) return false;
  const MutableBytes data = Own(context, *tensor);
  if (data.empty()) return false;
  const std::size_t size = BlockBytes(*tensor);
  const auto [from, to] = context.random.Two(data.size() / size);
  std::ranges::copy(data.subspan(from * size, size), data.subspan(to * size).begin());
  return true;
}

bool EditDataFill(MutationContext& context) {
  const MutableBytes data = OwnAny(context);
  if (data.empty()) return false;
  std::ranges::fill(data, context.random.Pick(kFills));
  return true;
}

bool EditDataSwap(MutationContext& context) {
  return SwapTwo(context.draft.tensors, context.random, &Tensor::data);
}

bool EditDataShift(MutationContext& context) {
  Tensor* tensor = AnyData(context);
  if (tensor == nullptr || tensor->data.size() < 2) return false;
  // Repair fills the missing end with zeros.
  tensor->data = tensor->data.subspan(context.random.Between(1, tensor->data.size() - 1));
  return true;
}

bool EditDataHole(MutationContext& context) {
  Tensor* tensor = AnyData(context);
  if (tensor == nullptr) return false;
  tensor->data = tensor->data.first(context.random.Below(tensor->data.size()));
  return true;
}

}  // namespace ggufgate::mutate

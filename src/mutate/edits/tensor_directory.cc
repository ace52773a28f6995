// Edits of the tensor directory. Repair gives each tensor data that fit its shape.

#include <algorithm>
#include <array>
#include <utility>

#include "format/loader_limits.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/draw.h"
#include "mutate/build/engine_number.h"
#include "mutate/build/records.h"
#include "mutate/edits/leaf.h"
#include "mutate/file/attach.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Tensor names of llama.cpp and its projectors. The number of a block precedes some of them.
constexpr auto kNames = std::to_array<std::string_view>(
    {"token_embd.weight", "output.weight", "output_norm.weight", "rope_freqs.weight",
     "attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_output.weight", "attn_norm.weight",
     "ffn_gate.weight", "ffn_up.weight", "ffn_down.weight", "ffn_norm.weight",
     "ffn_gate_inp.weight", "ffn_up_exps.weight", "attn_q.bias", "ssm_a", "v.patch_embd.weight"});
constexpr std::size_t kInBlocksFrom = 4;  // index in kNames

constexpr std::size_t kLongest = kLongestNameOfLlamaCpp;
constexpr std::array<std::size_t, 10> kNameLengths = {
    0, 1, 2, 31, 32, kLongest - 2, kLongest - 1, kLongest, kLongest + 1, kLongest + 2};

Tensor* AnyTensor(MutationContext& context) { return AnyOf(context.draft.tensors, context.random); }

const TensorTypeInfo& AnyType(Random& random) { return random.Pick(AllTensorTypes()); }

std::string_view MakeName(MutationContext& context) {
  if (context.random.OneIn(2)) return DrawWord(context, context.random.Between(1, 16));
  const std::size_t drawn = context.random.Below(kNames.size());
  const std::string_view name = kNames.at(drawn);
  if (drawn < kInBlocksFrom) return name;
  const MutableBytes in_block = context.arena.Take(6 + name.size());
  if (in_block.empty()) return {};
  const auto block = static_cast<std::uint8_t>('0' + context.random.Below(10));
  Writer(in_block, {}).PutBytes(AsBytes("blk.")).Put(block).Put('.').PutBytes(AsBytes(name));
  return AsText(in_block);
}

// MakeDimensions draws a small shape of whole blocks.
void MakeDimensions(Random& random, const TensorTypeInfo& type, Tensor& tensor) {
  tensor.dimension_count = static_cast<std::uint32_t>(random.Between(1, kMaximumDimensions));
  tensor.dims = {type.block_elements * random.Between(1, 4), 1, 1, 1, 1};
  for (std::size_t i = 1; i < tensor.dimension_count; ++i) tensor.dims.at(i) = random.Between(1, 4);
}

bool Add(MutationContext& context, const Tensor& tensor) {
  return !tensor.name.empty() && InsertAnywhere(context.random, context.draft.tensors, tensor);
}

// SmallFactor returns a number from 2 to 8 that divides `number`, or 0.
std::uint64_t SmallFactor(Random& random, std::uint64_t number) {
  const std::uint64_t begin = random.Below(7);
  for (std::uint64_t i = 0; i < 7; ++i) {
    const std::uint64_t factor = 2 + (begin + i) % 7;
    if (number % factor == 0) return factor;
  }
  return 0;
}

// Used returns how many dimensions may change; 0 for a tensor without dimensions.
std::size_t Used(const Tensor& tensor) {
  return std::min<std::size_t>(tensor.dimension_count, kMaximumDimensions);
}

}  // namespace

bool EditAddTensor(MutationContext& context) {
  const TensorTypeInfo& type = AnyType(context.random);
  Tensor tensor{.name = MakeName(context), .type = IdOf(type.type)};
  MakeDimensions(context.random, type, tensor);
  const std::optional<std::uint64_t> size = SizeOfTensor(tensor);
  if (!size || *size > context.room() / 2) return false;
  const MutableBytes data = context.arena.Take(*size);
  std::ranges::fill(data, std::uint8_t{0});
  for (std::size_t i = 0; i < data.size(); i += 7) {  // sparse: fast, and not all zeros
    data[i] = static_cast<std::uint8_t>(context.random.Next());
  }
  if (!data.empty()) tensor.data = context.random.OneIn(4) ? Bytes() : Bytes(data);
  return Add(context, tensor);
}

bool EditAddScalarTensor(MutationContext& context) {
  const auto type = IdOf(AnyType(context.random).type);
  return Add(context, {.name = MakeName(context), .type = type});
}

bool EditRenameTensor(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  const std::string_view name = MakeName(context);
  if (name.empty()) return false;
  tensor->name = name;
  return true;
}

bool EditTensorNameLength(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  tensor->name = DrawWord(context, context.random.Pick(kNameLengths));
  return true;
}

bool EditTensorNameBytes(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  const MutableBytes name = ChangeLeaf(context, AsBytes(tensor->name), kLongest);
  if (name.empty()) return false;
  tensor->name = AsText(name);
  return true;
}

bool EditSwapNames(MutationContext& context) {
  return SwapTwo(context.draft.tensors, context.random, &Tensor::name);
}

bool EditRetypeTensor(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  const auto type = IdOf(AnyType(context.random).type);
  if (type == tensor->type) return false;
  tensor->type = type;
  return true;
}

bool EditReinterpret(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || tensor->data.empty()) return false;
  const TensorTypeInfo& type = AnyType(context.random);
  const std::uint64_t blocks = tensor->data.size() / type.block_bytes;
  if (blocks == 0) return false;
  tensor->type = IdOf(type.type);
  tensor->dimension_count = 1;
  tensor->dims = {blocks * type.block_elements, 1, 1, 1, 1};
  return true;
}

bool EditDimension(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || Used(*tensor) == 0) return false;
  std::uint64_t& dim = tensor->dims.at(context.random.Below(Used(*tensor)));
  switch (context.random.Below(8)) {
    case 0:
      dim = BoundaryNumber(context.random);
      break;
    case 1:
      dim = EngineNumber(context, dim, sizeof(dim));
      break;
    default:
      dim = context.random.Between(1, 64);
      break;
  }
  return true;
}

bool EditDimensionStep(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || Used(*tensor) == 0) return false;
  const TensorTypeInfo* type = FindTensorType(tensor->type);
  const std::size_t at = context.random.Below(Used(*tensor));
  // A row grows or shrinks by one block.
  const std::uint64_t step = at == 0 && type != nullptr ? type->block_elements : 1;
  const std::uint64_t dim = tensor->dims.at(at);
  const std::array<std::uint64_t, 4> stepped = {dim + step, dim - step, 2 * dim, dim / 2};
  tensor->dims.at(at) = context.random.Pick(stepped);
  return true;
}

bool EditTranspose(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || Used(*tensor) < 2) return false;
  const auto [a, b] = context.random.Two(Used(*tensor));
  std::swap(tensor->dims.at(a), tensor->dims.at(b));
  return tensor->dims.at(a) != tensor->dims.at(b);
}

bool EditSplitDimension(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || Used(*tensor) == 0 || Used(*tensor) == kMaximumDimensions) return false;
  const std::size_t at = context.random.Below(Used(*tensor));
  const std::uint64_t factor = SmallFactor(context.random, tensor->dims.at(at));
  if (factor == 0) return false;
  for (std::size_t i = Used(*tensor); i > at + 1; --i) tensor->dims.at(i) = tensor->dims.at(i - 1);
  tensor->dims.at(at) /= factor;
  tensor->dims.at(at + 1) = factor;
  ++tensor->dimension_count;
  return true;
}

bool EditMergeDimensions(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || Used(*tensor) < 2) return false;
  const std::size_t at = context.random.Below(Used(*tensor) - 1);
  tensor->dims.at(at) *= tensor->dims.at(at + 1);
  for (std::size_t i = at + 1; i + 1 < Used(*tensor); ++i)
    tensor->dims.at(i) = tensor->dims.at(i + 1);
  tensor->dims.at(Used(*tensor) - 1) = 1;
  --tensor->dimension_count;
  return true;
}

bool EditDimensionCount(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  const auto count = static_cast<std::uint32_t>(context.random.Below(kMaximumDimensions + 1));
  if (count == tensor->dimension_count) return false;
  tensor->dimension_count = count;
  for (std::size_t i = count; i < kReadDimensions; ++i) tensor->dims.at(i) = 1;
  return true;
}

bool EditEmptyRow(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr || tensor->dims.front() == 0) return false;
  tensor->dimension_count = std::max(tensor->dimension_count, 1U);
  tensor->dims.front() = 0;
  tensor->data = {};
  return true;
}

bool EditOneElement(MutationContext& context) {
  Tensor* tensor = AnyTensor(context);
  if (tensor == nullptr) return false;
  tensor->dims = {1, 1, 1, 1, 1};
  return true;
}

}  // namespace ggufgate::mutate

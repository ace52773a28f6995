#include "mutate/file/attach.h"

#include <algorithm>
#include <bit>

#include "bytes/checked.h"
#include "format/value_type.h"

namespace ggufgate::mutate {
namespace {

// AlignmentOf returns the effective alignment; 0 if the key has an invalid value.
std::uint64_t AlignmentOf(Draft& draft) {
  const Entry* entry = draft.Find(kAlignmentKey);
  if (entry == nullptr) return kDefaultAlignment;
  if (entry->type != IdOf(ValueType::kU32)) return 0;
  return Load<std::uint32_t>(entry->value, draft.encoding.order);
}

}  // namespace

std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type != nullptr ? SizeOfTensor(tensor, *type) : std::nullopt;
}

std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor, const TensorTypeInfo& type) {
  // The number of elements in a block is a power of two.
  std::uint64_t size = tensor.dims[0] >> std::countr_zero(type.block_elements);
  if ((tensor.dims[0] & (type.block_elements - 1)) != 0) ++size;
  if (__builtin_mul_overflow(size, type.block_bytes, &size)) return std::nullopt;
  for (std::size_t i = 1; i < kReadDimensions && i < tensor.dimension_count; ++i) {
    if (__builtin_mul_overflow(size, tensor.dims[i], &size)) return std::nullopt;
  }
  return size;
}

void AttachData(Draft& draft) {
  draft.alignment = AlignmentOf(draft);
  if (draft.alignment == 0 || draft.tensors.empty()) return;
  const std::uint64_t begin =
      CheckedAlignUp(draft.tail_begin, draft.alignment).value_or(UINT64_MAX);
  if (begin - draft.tail_begin > draft.tail.size()) return;
  const Bytes section = draft.tail.subspan(begin - draft.tail_begin);
  for (Tensor& tensor : draft.tensors) {
    if (tensor.offset >= section.size()) continue;
    const Bytes rest = section.subspan(tensor.offset);
    const std::uint64_t size = SizeOfTensor(tensor).value_or(0);
    tensor.data = rest.first(std::min<std::uint64_t>(size, rest.size()));
  }
}

}  // namespace ggufgate::mutate

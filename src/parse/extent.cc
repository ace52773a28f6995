#include "parse/extent.h"

#include <bit>

#include "bytes/checked.h"
#include "format/loader_limits.h"

namespace ggufgate {
namespace {

// Below2To63 accepts values that fit into the signed sizes of the reference loader.
std::optional<std::uint64_t> Below2To63(std::optional<std::uint64_t> value) {
  return value && *value <= kMaximumSize ? value : std::nullopt;
}

std::optional<std::uint64_t> Times(std::optional<std::uint64_t> a, std::uint64_t b) {
  return a ? Below2To63(CheckedMul(*a, b)) : std::nullopt;
}

}  // namespace

// The number of elements in a block is a power of two (tensor_type.cc asserts it). So a mask and a
// shift replace a division.
Extent ExtentOf(const TensorInfo& tensor, std::uint64_t alignment) {
  Extent extent;
  extent.elements = 1;
  for (const std::uint64_t dim : tensor.dims) extent.elements = Times(extent.elements, dim);

  extent.type = FindTensorType(tensor.type_id);
  if (extent.type == nullptr) return extent;
  const std::uint64_t row = tensor.dims.front();
  extent.whole_blocks = (row & (extent.type->block_elements - 1)) == 0;
  if (!extent.whole_blocks || !extent.elements) return extent;

  const auto undivided = Times(row, extent.type->block_bytes);
  if (!undivided) return extent;
  extent.row_bytes = *undivided >> std::countr_zero(extent.type->block_elements);
  extent.bytes = extent.row_bytes;
  for (const std::uint64_t dim : std::span(tensor.dims).subspan(1)) {
    extent.bytes = Times(extent.bytes, dim);
  }
  if (extent.bytes) extent.padded = Below2To63(CheckedAlignUp(*extent.bytes, alignment));
  return extent;
}

std::vector<Extent> ExtentsOf(const Document& document) {
  std::vector<Extent> extents;
  extents.reserve(document.tensors.size());
  const std::uint64_t alignment = document.alignment.value_or(1);
  for (const TensorInfo& tensor : document.tensors) extents.push_back(ExtentOf(tensor, alignment));
  return extents;
}

std::optional<ByteRange> DataRange(const Document& document, const TensorInfo& tensor,
                                   const Extent& extent) {
  if (!document.data_begin || !extent.bytes) return std::nullopt;
  const auto begin = Below2To63(CheckedAdd(*document.data_begin, tensor.offset));
  if (!begin || !Below2To63(CheckedAdd(*begin, *extent.bytes))) return std::nullopt;
  return ByteRange{.begin = *begin, .size = *extent.bytes};
}

}  // namespace ggufgate

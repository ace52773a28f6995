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

// ExtentWith is the extent of a tensor of a type. Blocks hold a power of two of elements
// (tensor_type.cc asserts it), so that a mask and a shift do for a division.
Extent ExtentWith(const TensorTypeInfo* type, const TensorInfo& tensor, std::uint64_t alignment) {
  Extent extent;
  extent.elements = 1;
  for (const std::uint64_t dim : tensor.dims) extent.elements = Times(extent.elements, dim);

  extent.type = type;
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

// SizesOfOllama are those of a tensor in Ollama's MXFP4: no reader of ggml's types decodes it.
Extent SizesOfOllama(const TensorInfo& tensor, std::uint64_t alignment) {
  Extent extent = ExtentWith(OllamaType(tensor.type_id), tensor, alignment);
  extent.type = nullptr;
  extent.whole_blocks = false;
  return extent;
}

}  // namespace

bool IsOfGptoss(const Document& document) {
  const MetadataEntry* entry = document.Find(kArchitectureKey);
  return entry != nullptr && document.StringOf(*entry) == "gptoss";
}

const TensorTypeInfo* OllamaType(std::uint32_t type_id) {
  constexpr std::uint32_t kMxfp4OfOllama = 4;
  return type_id == kMxfp4OfOllama ? FindTensorType(IdOf(TensorType::kMXFP4)) : nullptr;
}

Extent ExtentOf(const TensorInfo& tensor, std::uint64_t alignment) {
  return ExtentWith(FindTensorType(tensor.type_id), tensor, alignment);
}

std::vector<Extent> ExtentsOf(const Document& document) {
  std::vector<Extent> extents;
  extents.reserve(document.tensors.size());
  const std::uint64_t alignment = document.alignment.value_or(1);
  const bool gptoss = IsOfGptoss(document);
  for (const TensorInfo& tensor : document.tensors) {
    const bool of_ollama = gptoss && OllamaType(tensor.type_id) != nullptr;
    extents.push_back(of_ollama ? SizesOfOllama(tensor, alignment) : ExtentOf(tensor, alignment));
  }
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

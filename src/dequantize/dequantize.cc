#include "dequantize/dequantize.h"

#include <algorithm>
#include <array>

#include "dequantize/blocks/scalar.h"
#include "dequantize/float_mode.h"
#include "dequantize/swap_numbers.h"
#if GGUFGATE_WITH_HIGHWAY
#include "dequantize/blocks/simd.h"
#endif

namespace ggufgate {
namespace {

#if GGUFGATE_WITH_HIGHWAY
namespace kernels = simd;
#else
namespace kernels = scalar;
#endif

using Kernel = void (*)(Bytes, std::span<float>);

constexpr std::size_t kMostBlockBytes = 292;
constexpr std::size_t kMostBlockElements = 256;
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  static_assert((bytes) <= kMostBlockBytes && (elements) <= kMostBlockElements);
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

Kernel KernelFor(TensorType type) {
  switch (type) {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  case TensorType::k##name:                                        \
    return kernels::Decode##name;
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
  }
  return nullptr;
}

// DecodeSwapped converts big-endian blocks to little-endian, some at a time, and decodes them.
void DecodeSwapped(const TensorTypeInfo& info, Bytes blocks, std::span<float> out) {
  constexpr std::size_t kSomeBlocks = 16;
  std::array<std::uint8_t, kSomeBlocks * kMostBlockBytes> turned;
  while (!blocks.empty()) {
    const std::size_t count = std::min<std::size_t>(kSomeBlocks, blocks.size() / info.block_bytes);
    const MutableBytes some = std::span(turned).first(count * info.block_bytes);
    std::ranges::copy(blocks.first(some.size()), some.begin());
    SwapNumbers(info, some);
    KernelFor(info.type)(some, out.first(count * info.block_elements));
    blocks = blocks.subspan(some.size());
    out = out.subspan(count * info.block_elements);
  }
}

// Decode decodes whole blocks. The caller has checked the sizes.
void Decode(const TensorTypeInfo& info, Bytes blocks, std::span<float> out, ByteOrder order) {
  if (order == ByteOrder::kBig) return DecodeSwapped(info, blocks, out);
  KernelFor(info.type)(blocks, out);
}

// Whole is a run of whole blocks, which the entry points check first.
struct Whole {
  const TensorTypeInfo* info = nullptr;
  std::uint64_t elements = 0;
  Dequantized result = Dequantized::kDone;
};

Whole WholeBlocks(TensorType type, Bytes blocks) {
  const TensorTypeInfo* info = FindTensorType(static_cast<std::uint32_t>(type));
  if (info == nullptr) return {.result = Dequantized::kUnknownType};
  if (blocks.size() % info->block_bytes != 0) return {.result = Dequantized::kPartialBlock};
  // At most 256 elements per 50 bytes, or 128 per 18: the size of a span cannot make this overflow.
  return {.info = info, .elements = blocks.size() / info->block_bytes * info->block_elements};
}

}  // namespace

std::string_view WordsFor(Dequantized result) {
  switch (result) {
    case Dequantized::kDone:
      return "done";
    case Dequantized::kUnknownType:
      return "no such tensor type";
    case Dequantized::kPartialBlock:
      return "the bytes are not whole blocks";
    case Dequantized::kWrongSize:
      return "the output has another size than the elements";
    case Dequantized::kOutOfRange:
      return "there are no such elements";
    case Dequantized::kPartialRow:
      return "the bytes are not whole rows of whole blocks";
  }
  return "";
}

Dequantized Dequantize(TensorType type, Bytes blocks, std::span<float> out, ByteOrder order) {
  const Whole whole = WholeBlocks(type, blocks);
  if (whole.result != Dequantized::kDone) return whole.result;
  if (out.size() != whole.elements) return Dequantized::kWrongSize;
  const FloatMode mode;
  Decode(*whole.info, blocks, out, order);
  return Dequantized::kDone;
}

Dequantized DequantizeElements(TensorType type, Bytes blocks, std::uint64_t first,
                               std::span<float> out, ByteOrder order) {
  const Whole whole = WholeBlocks(type, blocks);
  if (whole.result != Dequantized::kDone) return whole.result;
  if (first > whole.elements || out.size() > whole.elements - first) {
    return Dequantized::kOutOfRange;
  }
  const FloatMode mode;
  const TensorTypeInfo& info = *whole.info;
  Bytes rest = blocks.subspan(first / info.block_elements * info.block_bytes);
  std::size_t skip = first % info.block_elements;
  while (!out.empty()) {
    if (skip == 0 && out.size() >= info.block_elements) {
      const std::size_t count = out.size() / info.block_elements;
      Decode(info, rest.first(count * info.block_bytes), out.first(count * info.block_elements),
             order);
      rest = rest.subspan(count * info.block_bytes);
      out = out.subspan(count * info.block_elements);
      continue;
    }
    std::array<float, kMostBlockElements> block;
    const auto elements = std::span(block).first(info.block_elements);
    Decode(info, rest.first(info.block_bytes), elements, order);
    const auto wanted = elements.subspan(skip, std::min(out.size(), elements.size() - skip));
    std::ranges::copy(wanted, out.begin());
    rest = rest.subspan(info.block_bytes);
    out = out.subspan(wanted.size());
    skip = 0;
  }
  return Dequantized::kDone;
}

Dequantized DequantizeRows(TensorType type, Bytes blocks, std::uint64_t row_elements,
                           std::uint64_t first, std::span<float> out, ByteOrder order) {
  const Whole whole = WholeBlocks(type, blocks);
  if (whole.result != Dequantized::kDone) return whole.result;
  if (row_elements == 0 || row_elements % whole.info->block_elements != 0 ||
      whole.elements % row_elements != 0) {
    return Dequantized::kPartialRow;
  }
  if (out.size() % row_elements != 0) return Dequantized::kWrongSize;
  if (first > whole.elements / row_elements) return Dequantized::kOutOfRange;
  return DequantizeElements(type, blocks, first * row_elements, out, order);
}

std::optional<float> DequantizeElement(TensorType type, Bytes blocks, std::uint64_t index,
                                       ByteOrder order) {
  float element = 0;
  const Dequantized result = DequantizeElements(type, blocks, index, std::span(&element, 1), order);
  if (result != Dequantized::kDone) return std::nullopt;
  return element;
}

}  // namespace ggufgate

#pragma once

// Tools for all decoders of blocks: the size of a block of a type, its fields, a loop over blocks.
// Names are those of ggml's decoders: `b` is a block, `y` its elements.

#include <cstddef>
#include <cstdint>
#include <span>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "dequantize/blocks/float16.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

// BlockOf<type> has the sizes of a block as constants.
template <TensorType kType>
struct BlockOf;
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  template <>                                                      \
  struct BlockOf<TensorType::k##name> {                            \
    static constexpr std::size_t kElements = elements;             \
    static constexpr std::size_t kBytes = bytes;                   \
  };
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

template <TensorType kType>
using Block = std::span<const std::uint8_t, BlockOf<kType>::kBytes>;
template <TensorType kType>
using Elements = std::span<float, BlockOf<kType>::kElements>;

// ForEachBlock calls decode(block, elements) for each block. The sizes must match.
template <TensorType kType, typename Decode>
void ForEachBlock(Bytes blocks, std::span<float> out, Decode decode) {
  using Size = BlockOf<kType>;
  for (; !blocks.empty(); blocks = blocks.subspan(Size::kBytes)) {
    decode(Block<kType>(blocks.first<Size::kBytes>()),
           Elements<kType>(out.first<Size::kElements>()));
    out = out.subspan(Size::kElements);
  }
}

// Functions that read the fields of a block, which are little-endian here and not aligned.
[[nodiscard]] inline std::uint16_t U16(Bytes b, std::size_t at) {
  return Load<std::uint16_t>(b.subspan(at), ByteOrder::kLittle);
}
[[nodiscard]] inline std::uint32_t U32(Bytes b, std::size_t at) {
  return Load<std::uint32_t>(b.subspan(at), ByteOrder::kLittle);
}
[[nodiscard]] inline std::uint64_t U64(Bytes b, std::size_t at) {
  return Load<std::uint64_t>(b.subspan(at), ByteOrder::kLittle);
}
[[nodiscard]] inline float F16(Bytes b, std::size_t at) { return WidenF16(U16(b, at)); }
[[nodiscard]] inline int I8(Bytes b, std::size_t at) { return static_cast<std::int8_t>(b[at]); }

// Bits returns `count` bits of `value`, from bit `from` up.
[[nodiscard]] constexpr unsigned Bits(std::uint32_t value, std::size_t from, unsigned count) {
  return value >> from & ((1U << count) - 1U);
}

// Nibble returns element j of 32. They are in 16 bytes: the first 16 elements in the low four bits,
// the others in the high ones.
[[nodiscard]] inline unsigned Nibble(Bytes b, std::size_t at, std::size_t j) {
  return j < 16 ? b[at + j] & 15U : b[at + j - 16] >> 4U;
}

// Product multiplies a scale with a small integer, which a float represents exactly. An integer 0
// is +0.
[[nodiscard]] inline float Product(float scale, int code) {
  return scale * static_cast<float>(code);
}
[[nodiscard]] inline float Product(float scale, unsigned code) {
  return scale * static_cast<float>(code);
}

}  // namespace ggufgate

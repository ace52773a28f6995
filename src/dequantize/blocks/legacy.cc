// Q4_0 to Q8_1: 32 elements with one scale; types with an even number also have one minimum.

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {

void DecodeQ4_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ4_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, static_cast<int>(Nibble(b, 2, j)) - 8);
  });
}

void DecodeQ4_1(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ4_1>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    const float m = F16(b, 2);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, Nibble(b, 4, j)) + m;
  });
}

// Bit j of a 32-bit word is the fifth bit of element j.
void DecodeQ5_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ5_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    const std::uint32_t fifth = U32(b, 2);
    for (std::size_t j = 0; j < 32; ++j) {
      const unsigned q = Nibble(b, 6, j) + 16 * Bits(fifth, j, 1);
      y[j] = Product(d, static_cast<int>(q) - 16);
    }
  });
}

void DecodeQ5_1(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ5_1>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    const float m = F16(b, 2);
    const std::uint32_t fifth = U32(b, 4);
    for (std::size_t j = 0; j < 32; ++j) {
      y[j] = Product(d, Nibble(b, 8, j) + 16 * Bits(fifth, j, 1)) + m;
    }
  });
}

void DecodeQ8_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ8_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, I8(b, 2 + j));
  });
}

// Q8_1 is an intermediate type of dot products, which the reference never converts to floats. The
// meaning is clear: Q8_0 with an additional d · Σq, which this decoder ignores.
void DecodeQ8_1(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ8_1>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, I8(b, 4 + j));
  });
}

}  // namespace ggufgate::scalar

// Q1_0, Q2_0, TQ1_0, TQ2_0: one scale, and elements of two, three or four levels.

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {
namespace {

// Digit returns base-3 digit n of a byte that holds five digits as a fraction. The first is the
// most significant.
unsigned Digit(unsigned byte, std::size_t n) {
  constexpr unsigned kPowers[] = {1, 3, 9, 27, 81};
  return (byte * std::span(kPowers)[n] & 255U) * 3 >> 8;
}

// TernaryAt returns element i of a TQ1_0 block. 48 bytes hold five elements each, 32 or 16 apart;
// the last four bytes hold four, 4 apart.
unsigned TernaryAt(Bytes b, std::size_t i) {
  if (i < 160) return Digit(b[i % 32], i / 32);
  if (i < 240) return Digit(b[32 + (i - 160) % 16], (i - 160) / 16);
  return Digit(b[48 + (i - 240) % 4], (i - 240) / 4);
}

}  // namespace

void DecodeQ1_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ1_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 128; ++j) y[j] = Bits(b[2 + j / 8], j % 8, 1) != 0 ? d : -d;
  });
}

void DecodeQ2_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ2_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 64; ++j) {
      y[j] = Product(d, static_cast<int>(Bits(b[2 + j / 4], j % 4 * 2, 2)) - 1);
    }
  });
}

void DecodeTQ1_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kTQ1_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 52);
    for (std::size_t i = 0; i < 256; ++i) {
      y[i] = Product(d, static_cast<int>(TernaryAt(b, i)) - 1);
    }
  });
}

// The fourth level, 2, can be decoded, although no ternary tensor uses it.
void DecodeTQ2_0(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kTQ2_0>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 64);
    for (std::size_t i = 0; i < 256; ++i) {
      const unsigned q = Bits(b[i / 128 * 32 + i % 32], i / 32 % 4 * 2, 2);
      y[i] = Product(d, static_cast<int>(q) - 1);
    }
  });
}

}  // namespace ggufgate::scalar

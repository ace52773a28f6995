// Q2_K to Q8_K: 256 elements in groups of 16 or 32, each with a small integer scale.

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {
namespace {

// Plane returns the two bits of element i. 128 elements share 32 bytes, with 32 elements per pair
// of bits.
unsigned Plane(Bytes b, std::size_t at, std::size_t i) {
  return Bits(b[at + i / 128 * 32 + i % 32], i / 32 % 4 * 2, 2);
}

// Pair is a scale and a minimum of six bits.
struct Pair {
  unsigned scale;
  unsigned minimum;
};

// PairAt unpacks the pair of group k from the twelve bytes of Q4_K and Q5_K.
Pair PairAt(Bytes b, std::size_t k) {
  const Bytes c = b.subspan(4, 12);
  if (k < 4) return {.scale = Bits(c[k], 0, 6), .minimum = Bits(c[k + 4], 0, 6)};
  return {.scale = Bits(c[k + 4], 0, 4) + 16 * Bits(c[k - 4], 6, 2),
          .minimum = Bits(c[k + 4], 4, 4) + 16 * Bits(c[k], 6, 2)};
}

}  // namespace

void DecodeQ2_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ2_K>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 80);
    const float minimum = F16(b, 82);
    for (std::size_t i = 0; i < 256; ++i) {
      const unsigned s = b[i / 16];
      y[i] = Product(Product(d, Bits(s, 0, 4)), Plane(b, 16, i)) - Product(minimum, Bits(s, 4, 4));
    }
  });
}

void DecodeQ3_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ3_K>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 108);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t k = i / 16;
      const unsigned low = Bits(b[96 + k % 8], k / 8 * 4, 4);
      const unsigned high = Bits(b[104 + k % 4], k / 4 * 2, 2);
      const float scale = Product(d, static_cast<int>(low + 16 * high) - 32);
      const unsigned third = Bits(b[i % 32], i / 32, 1);
      y[i] = Product(scale, static_cast<int>(Plane(b, 32, i) + 4 * third) - 4);
    }
  });
}

void DecodeQ4_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ4_K>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    const float minimum = F16(b, 2);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t k = i / 32;
      const Pair pair = PairAt(b, k);
      const unsigned q = Bits(b[16 + k / 2 * 32 + i % 32], k % 2 * 4, 4);
      y[i] = Product(Product(d, pair.scale), q) - Product(minimum, pair.minimum);
    }
  });
}

void DecodeQ5_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ5_K>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    const float minimum = F16(b, 2);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t k = i / 32;
      const Pair pair = PairAt(b, k);
      const unsigned low = Bits(b[48 + k / 2 * 32 + i % 32], k % 2 * 4, 4);
      const unsigned q = low + 16 * Bits(b[16 + i % 32], k, 1);
      y[i] = Product(Product(d, pair.scale), q) - Product(minimum, pair.minimum);
    }
  });
}

void DecodeQ6_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ6_K>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 208);
    for (std::size_t i = 0; i < 256; ++i) {
      const std::size_t half = i / 128;
      const std::size_t g = i / 32 % 4;
      const unsigned low = Bits(b[half * 64 + g % 2 * 32 + i % 32], g / 2 * 4, 4);
      const unsigned high = Bits(b[128 + half * 32 + i % 32], g * 2, 2);
      y[i] = Product(Product(d, I8(b, 192 + i / 16)), static_cast<int>(low + 16 * high) - 32);
    }
  });
}

// The scale is a float, so this is the only type with rounded products. The sums at the end are not
// read.
void DecodeQ8_K(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kQ8_K>(blocks, out, [](auto b, auto y) {
    const auto d = Load<float>(b, ByteOrder::kLittle);
    for (std::size_t i = 0; i < 256; ++i) y[i] = Product(d, I8(b, 4 + i));
  });
}

}  // namespace ggufgate::scalar

// IQ4_NL, IQ4_XS, MXFP4, NVFP4: four bits select one of sixteen levels.

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/codebooks.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {

void DecodeIQ4_NL(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ4_NL>(blocks, out, [](auto b, auto y) {
    const float d = F16(b, 0);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, int{kIq4Levels.at(Nibble(b, 2, j))});
  });
}

void DecodeIQ4_XS(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ4_XS>(blocks, out, [](auto b, auto y) {
    const unsigned high = U16(b, 2);
    for (std::size_t k = 0; k < 8; ++k) {
      const unsigned s = Bits(b[4 + k / 2], k % 2 * 4, 4) + 16 * Bits(high, 2 * k, 2);
      const float scale = Product(F16(b, 0), static_cast<int>(s) - 32);
      for (std::size_t j = 0; j < 32; ++j) {
        y[32 * k + j] = Product(scale, int{kIq4Levels.at(Nibble(b, 8 + 16 * k, j))});
      }
    }
  });
}

void DecodeMXFP4(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kMXFP4>(blocks, out, [](auto b, auto y) {
    const float d = E8M0Half(b[0]);
    for (std::size_t j = 0; j < 32; ++j) y[j] = Product(d, int{kFp4Levels.at(Nibble(b, 1, j))});
  });
}

// Four groups of 16. The first eight elements of each are in the low halves of eight bytes.
void DecodeNVFP4(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kNVFP4>(blocks, out, [](auto b, auto y) {
    for (std::size_t i = 0; i < 64; ++i) {
      const std::size_t group = i / 16;
      const unsigned code = Bits(b[4 + 8 * group + i % 8], i / 8 % 2 * 4, 4);
      y[i] = Product(kUe4M3Halves.at(b[group]), int{kFp4Levels.at(code)});
    }
  });
}

}  // namespace ggufgate::scalar

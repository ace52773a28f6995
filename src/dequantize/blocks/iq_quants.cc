// IQ1 to IQ3: 256 elements with magnitudes from codebooks; IQ2 and IQ3 store the signs separately.
// An index has as many bits as its table needs, so it is never out of range.

#include <array>

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/codebooks.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {
namespace {

// Put writes one group of magnitudes. Those with their bit set in `signs` are negative.
template <std::size_t kCount>
void Put(const std::array<std::int8_t, kCount>& magnitudes, unsigned signs, float scale,
         std::span<float> y) {
  for (std::size_t j = 0; j < kCount; ++j) {
    const float value = Product(scale, int{magnitudes.at(j)});
    y[j] = Bits(signs, j, 1) != 0 ? -value : value;
  }
}

// QuarterScale returns the scale of IQ2 types.
float QuarterScale(float d, unsigned s) { return d * (0.5F + static_cast<float>(s)) * 0.25F; }

// PutTernary writes one group of IQ1: the entry plus or minus an eighth.
void PutTernary(const Octet& entry, bool down, float scale, std::span<float> y) {
  const float shift = down ? -0.125F : 0.125F;
  for (std::size_t j = 0; j < entry.size(); ++j) {
    y[j] = scale * (static_cast<float>(entry.at(j)) + shift);
  }
}

}  // namespace

void DecodeIQ2_XXS(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ2_XXS>(blocks, out, [](auto b, auto y) {
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t at = 2 + 8 * k;
      const std::uint32_t word = U32(b, at + 4);
      const float scale = QuarterScale(F16(b, 0), Bits(word, 28, 4));
      for (std::size_t l = 0; l < 4; ++l) {
        const unsigned signs = EvenSigns(Bits(word, 7 * l, 7));
        Put(kIq2XxsGrid.at(b[at + l]), signs, scale, y.subspan(32 * k + 8 * l));
      }
    }
  });
}

void DecodeIQ2_XS(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ2_XS>(blocks, out, [](auto b, auto y) {
    for (std::size_t k = 0; k < 32; ++k) {
      const unsigned word = U16(b, 2 + 2 * k);
      const float scale = QuarterScale(F16(b, 0), Bits(b[66 + k / 4], k / 2 % 2 * 4, 4));
      Put(kIq2XsGrid.at(Bits(word, 0, 9)), EvenSigns(Bits(word, 9, 7)), scale, y.subspan(8 * k));
    }
  });
}

void DecodeIQ2_S(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ2_S>(blocks, out, [](auto b, auto y) {
    for (std::size_t k = 0; k < 32; ++k) {
      const unsigned index = b[2 + k] + 256 * Bits(b[66 + k / 4], k % 4 * 2, 2);
      const float scale = QuarterScale(F16(b, 0), Bits(b[74 + k / 4], k / 2 % 2 * 4, 4));
      Put(kIq2SGrid.at(index), b[34 + k], scale, y.subspan(8 * k));
    }
  });
}

void DecodeIQ3_XXS(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ3_XXS>(blocks, out, [](auto b, auto y) {
    for (std::size_t n = 0; n < 64; ++n) {
      const std::size_t k = n / 8;
      const std::uint32_t word = U32(b, 66 + 4 * k);
      const float scale = F16(b, 0) * (0.5F + static_cast<float>(Bits(word, 28, 4))) * 0.5F;
      const unsigned signs = EvenSigns(Bits(word, n % 8 / 2 * 7, 7));
      Put(kIq3XxsGrid.at(b[2 + n]), Bits(signs, n % 2 * 4, 4), scale, y.subspan(4 * n));
    }
  });
}

void DecodeIQ3_S(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ3_S>(blocks, out, [](auto b, auto y) {
    for (std::size_t n = 0; n < 64; ++n) {
      const std::size_t k = n / 8;
      const unsigned index = b[2 + n] + 256 * Bits(b[66 + k], n % 8, 1);
      const float scale = Product(F16(b, 0), 1 + 2 * Bits(b[106 + k / 2], k % 2 * 4, 4));
      Put(kIq3SGrid.at(index), Bits(b[74 + n / 2], n % 2 * 4, 4), scale, y.subspan(4 * n));
    }
  });
}

void DecodeIQ1_S(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ1_S>(blocks, out, [](auto b, auto y) {
    for (std::size_t k = 0; k < 32; ++k) {
      const unsigned word = U16(b, 34 + k / 4 * 2);
      const unsigned index = b[2 + k] + 256 * Bits(word, k % 4 * 3, 3);
      const float scale = Product(F16(b, 0), 2 * Bits(word, 12, 3) + 1);
      PutTernary(kIq1SGrid.at(index), Bits(word, 15, 1) != 0, scale, y.subspan(8 * k));
    }
  });
}

// The bits of the f16 scale are the top four bits of four words. Below them are the scales of
// groups of 16.
void DecodeIQ1_M(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kIQ1_M>(blocks, out, [](auto b, auto y) {
    unsigned bits = 0;
    for (std::size_t n = 0; n < 4; ++n) bits |= Bits(U16(b, 48 + 2 * n), 12, 4) << (4 * n);
    const float d = WidenF16(static_cast<std::uint16_t>(bits));
    for (std::size_t k = 0; k < 32; ++k) {
      const std::size_t p = k / 2;
      const unsigned high = Bits(b[32 + k / 2], k % 2 * 4, 4);
      const unsigned index = b[k] + 256 * Bits(high, 0, 3);
      const float scale = Product(d, 2 * Bits(U16(b, 48 + p / 4 * 2), p % 4 * 3, 3) + 1);
      PutTernary(kIq1SGrid.at(index), high >= 8, scale, y.subspan(8 * k));
    }
  });
}

}  // namespace ggufgate::scalar

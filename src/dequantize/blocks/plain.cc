// Types with one number per element. The reference converts only F16 and BF16. The others convert
// as in C++: rounded once, to nearest, ties to even. An F64 too large for a float becomes infinite.

#include <bit>

#include "dequantize/blocks/block.h"
#include "dequantize/blocks/scalar.h"

namespace ggufgate::scalar {
namespace {

template <TensorType kType, typename T>
void DecodeNumbers(Bytes blocks, std::span<float> out) {
  ForEachBlock<kType>(blocks, out, [](auto b, auto y) {
    y[0] = static_cast<float>(Load<T>(b, ByteOrder::kLittle));
  });
}

}  // namespace

void DecodeF32(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kF32, float>(blocks, out);
}

void DecodeF16(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kF16>(blocks, out, [](auto b, auto y) { y[0] = F16(b, 0); });
}

// A BF16 is the upper half of a float. The code moves bits, so that a signalling NaN stays one.
void DecodeBF16(Bytes blocks, std::span<float> out) {
  ForEachBlock<TensorType::kBF16>(blocks, out, [](auto b, auto y) {
    y[0] = std::bit_cast<float>(std::uint32_t{U16(b, 0)} << 16);
  });
}

void DecodeF64(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kF64, double>(blocks, out);
}
void DecodeI8(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kI8, std::int8_t>(blocks, out);
}
void DecodeI16(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kI16, std::int16_t>(blocks, out);
}
void DecodeI32(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kI32, std::int32_t>(blocks, out);
}
void DecodeI64(Bytes blocks, std::span<float> out) {
  DecodeNumbers<TensorType::kI64, std::int64_t>(blocks, out);
}

}  // namespace ggufgate::scalar

#include "mutate/generate/learned_data.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "bytes/byte_order.h"
#include "format/tensors/block_fields.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::mutate {
namespace {

constexpr ByteOrder kOrder = ByteOrder::kLittle;  // of all generated files

// --- floats --------------------------------------------------------------------------------------

// NumeratorOf returns the i-th number of a pseudo-random sequence, from -`most` to `most`. Its
// period is a prime, so that rows differ.
int NumeratorOf(std::size_t i, int most) {
  constexpr std::uint32_t kPeriod = 1021;
  constexpr std::uint32_t kMixer = 2'654'435'761;  // Knuth's: 2^32 over the golden ratio
  const std::uint32_t mixed = (static_cast<std::uint32_t>(i) % kPeriod * 7919 + 104'729) * kMixer;
  const auto width = static_cast<std::uint32_t>(2 * most + 1);
  return static_cast<int>((mixed >> 16U) % width) - most;
}

// Content is the kind of floats in a tensor. They have at most 8 significant bits, and the same
// values in every float type and on every machine.
enum class Content : std::uint8_t { kWeights, kNorm, kDecay };

Content ContentOf(std::string_view name) {
  // Tensor A of Mamba must be negative: otherwise its states diverge.
  if (name.find("ssm_a") != std::string_view::npos) return Content::kDecay;
  const bool norm = name.find("norm") != std::string_view::npos && name.ends_with(".weight");
  return norm ? Content::kNorm : Content::kWeights;
}

float FloatOf(Content content, std::size_t i) {
  switch (content) {
    case Content::kDecay:
      return static_cast<float>(NumeratorOf(i, 48) - 128) / 128;
    case Content::kNorm:
      return static_cast<float>(NumeratorOf(i, 3) + 128) / 128;
    case Content::kWeights:
      break;
  }
  return static_cast<float>(NumeratorOf(i, 102)) / 1024;
}

// HalfOf returns the bits of an f16. It is exact for results of FloatOf().
std::uint16_t HalfOf(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16U & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFF'FFFFU;
  constexpr std::uint32_t kRebias = (127U - 15U) << 10U;
  const std::uint32_t half = magnitude == 0 ? 0 : (magnitude >> 13U) - kRebias;
  return static_cast<std::uint16_t>(sign | half);
}

template <Scalar T, typename Make>
void FillNumbers(std::string_view name, MutableBytes data, Make make) {
  const Content content = ContentOf(name);
  for (std::size_t i = 0; (i + 1) * sizeof(T) <= data.size(); ++i) {
    const auto value = static_cast<T>(make(FloatOf(content, i)));
    Store(value, kOrder, data.subspan(i * sizeof(T)));
  }
}

// --- blocks --------------------------------------------------------------------------------------

// PutSmall stores a small number in a field of a block.
void PutSmall(const BlockField& field, float small, MutableBytes block) {
  const std::uint16_t half = HalfOf(small);
  for (std::size_t i = 0; i < field.count; ++i) {
    const MutableBytes at = block.subspan(field.offset + i * FieldBytes(field.kind));
    switch (field.kind) {
      case FieldKind::kF16:
        Store(half, kOrder, at);
        break;
      case FieldKind::kQ8KScale:
        Store(small, kOrder, at);
        break;
      case FieldKind::kIQ1MScale:  // four bits of it on top of each word, the lowest first
        for (const unsigned word : {0U, 1U, 2U, 3U}) {
          const unsigned bits = (half >> 4 * word & 0xFU) << 12U;
          Store(static_cast<std::uint16_t>(bits | 0x0111U), kOrder,
                at.subspan(std::size_t{2} * word));
        }
        break;
      case FieldKind::kE8M0:
        Store(std::uint8_t{127 - 5}, kOrder, at);  // 2^-5
        break;
      case FieldKind::kUE4M3:
        Store(std::uint8_t{(7 - 5) << 3}, kOrder, at);  // 2^-5
        break;
      case FieldKind::kTernaryCodes:
        Store(static_cast<std::uint8_t>(i % 2 == 0 ? 0x64 : 0x18), kOrder, at);  // no code is 3
        break;
      case FieldKind::kQ8Code:
        Store(static_cast<std::int8_t>(NumeratorOf(i, 63)), kOrder, at);
        break;
      case FieldKind::kF32:  // types without blocks
      case FieldKind::kF64:
      case FieldKind::kBF16:
        break;
    }
  }
}

void FillBlocks(const TensorTypeInfo& type, MutableBytes data) {
  // Most large blocks contain more scales, of up to 6 bits.
  const float small = type.block_elements < 256 ? 1.0F / 128 : 1.0F / 2048;
  for (std::size_t at = 0; at + type.block_bytes <= data.size(); at += type.block_bytes) {
    const MutableBytes block = data.subspan(at, type.block_bytes);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::size_t mixed = i * 37 + at / type.block_bytes * 5 + 11;
      block[i] = static_cast<std::uint8_t>(mixed & 0x3FU);
    }
    for (const BlockField& field : FieldsOf(type.type)) PutSmall(field, small, block);
  }
}

}  // namespace

void FillLearned(std::string_view name, TensorType type, MutableBytes data) {
  switch (type) {
    case TensorType::kF32:
      return FillNumbers<float>(name, data, [](float value) { return value; });
    case TensorType::kF64:
      return FillNumbers<double>(name, data, [](float value) { return value; });
    case TensorType::kF16:
      return FillNumbers<std::uint16_t>(name, data, HalfOf);
    case TensorType::kBF16:
      return FillNumbers<std::uint16_t>(
          name, data, [](float value) { return std::bit_cast<std::uint32_t>(value) >> 16U; });
    case TensorType::kI8:
    case TensorType::kI16:
    case TensorType::kI32:
    case TensorType::kI64:
      std::ranges::fill(data, std::uint8_t{0});
      return;
    default:
      break;
  }
  const TensorTypeInfo* info = FindTensorType(IdOf(type));
  if (info != nullptr) FillBlocks(*info, data);
}

}  // namespace ggufgate::mutate

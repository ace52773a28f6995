// One valid file for each tensor type: two rows of random codes with small finite scales.

#include <algorithm>
#include <array>
#include <span>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

// Scale is a number in a block that scales its codes.
struct Scale {
  enum class Kind : std::uint8_t { kF16, kF32, kE8M0, kUE4M3 };
  std::size_t at;  // offset in the block
  Kind kind = Kind::kF16;
};

using enum TensorType;

// ScalesOf lists the scales and minima of a block. Source: ggml-common.h.
std::vector<Scale> ScalesOf(TensorType type) {
  switch (type) {
    case kQ4_0:
    case kQ5_0:
    case kQ8_0:
    case kIQ2_XXS:
    case kIQ2_XS:
    case kIQ3_XXS:
    case kIQ1_S:
    case kIQ4_NL:
    case kIQ3_S:
    case kIQ2_S:
    case kIQ4_XS:
    case kQ1_0:
    case kQ2_0:
      return {{0}};
    case kQ4_1:
    case kQ5_1:
    case kQ4_K:
    case kQ5_K:
      return {{0}, {2}};
    case kQ2_K:
      return {{80}, {82}};
    case kQ3_K:
      return {{108}};
    case kQ6_K:
      return {{208}};
    case kTQ1_0:
      return {{52}};
    case kTQ2_0:
      return {{64}};
    case kMXFP4:
      return {{0, Scale::Kind::kE8M0}};
    case kNVFP4:
      return {{0, Scale::Kind::kUE4M3},
              {1, Scale::Kind::kUE4M3},
              {2, Scale::Kind::kUE4M3},
              {3, Scale::Kind::kUE4M3}};
    default:
      return {};
  }
}

// PutScale writes a value between 2^-10 and 2^-6.
void PutScale(std::span<std::uint8_t> block, const Scale& scale, Dice& dice) {
  const MutableBytes place = block.subspan(scale.at);
  switch (scale.kind) {
    case Scale::Kind::kF16:  // exponent 5 to 8 of bias 15
      Store(static_cast<std::uint16_t>((5 + dice.Below(4)) << 10 | dice.Below(1 << 10)),
            ByteOrder::kLittle, place);
      break;
    case Scale::Kind::kF32:  // exponent 117 to 120 of bias 127
      Store(static_cast<std::uint32_t>((117 + dice.Below(4)) << 23 | dice.Below(1 << 23)),
            ByteOrder::kLittle, place);
      break;
    case Scale::Kind::kE8M0:  // a power of two, bias 127
      place.front() = static_cast<std::uint8_t>(118 + dice.Below(4));
      break;
    case Scale::Kind::kUE4M3:  // exponent 1 to 3 of bias 7
      place.front() = static_cast<std::uint8_t>((1 + dice.Below(3)) << 3 | dice.Below(8));
      break;
  }
}

// PutQ8KSums makes the sums in a Q8_K block correct: each is the sum of 16 codes.
void PutQ8KSums(std::span<std::uint8_t> block) {
  for (std::size_t group = 0; group < 16; ++group) {
    int sum = 0;
    for (const std::uint8_t code : block.subspan(4 + 16 * group, 16)) {
      sum += static_cast<std::int8_t>(code);
    }
    Store(static_cast<std::int16_t>(sum), ByteOrder::kLittle, block.subspan(260 + 2 * group));
  }
}

// Mend removes codes that an encoder never writes.
void Mend(TensorType type, std::span<std::uint8_t> block, Dice& dice) {
  switch (type) {
    case kQ8_0:  // no -128
      std::ranges::replace(block.subspan(2), std::uint8_t{0x80}, std::uint8_t{0x81});
      break;
    case kQ8_1:  // scale 2^-5, codes 1, -1, 1, …: their sum times the scale is 0
      for (std::size_t i = 4; i < block.size(); ++i) block[i] = i % 2 == 0 ? 1 : 0xFF;
      Store(std::uint32_t{0x2800}, ByteOrder::kLittle, block);
      break;
    case kQ8_K:
      std::ranges::replace(block.subspan(4, 256), std::uint8_t{0x80}, std::uint8_t{0x81});
      PutQ8KSums(block);
      PutScale(block, {0, Scale::Kind::kF32}, dice);
      break;
    case kIQ1_M:  // the scale is spread over the top four bits of four u16: 0x2800, 2^-5
      for (const std::size_t i : {49U, 51U, 53U, 55U}) block[i] &= 0x0F;
      block[53] |= 0x80;
      block[55] |= 0x20;
      break;
    case kTQ1_0:  // five ternary digits per byte, as an encoder packs them: ceil(n * 256 / 243)
      for (std::uint8_t& byte : block.first(48)) {
        byte = static_cast<std::uint8_t>((dice.Below(243) * 256 + 242) / 243);
      }
      for (std::uint8_t& byte : block.subspan(48, 4)) {  // four digits, times 3
        byte = static_cast<std::uint8_t>((dice.Below(81) * 3 * 256 + 242) / 243);
      }
      break;
    case kTQ2_0:  // codes 0, 1, 2
      for (std::uint8_t& byte : block.first(64)) {
        byte = static_cast<std::uint8_t>(dice.Below(3) | dice.Below(3) << 2 | dice.Below(3) << 4 |
                                         dice.Below(3) << 6);
      }
      break;
    default:
      break;
  }
}

// Numbers fills a tensor without blocks.
FileBytes Numbers(TensorType type, std::uint64_t bytes, Dice& dice) {
  Encoder out(ByteOrder::kLittle);
  while (out.size() < bytes) {
    const auto number = static_cast<std::int32_t>(dice.Below(2048)) - 1024;
    const float value = static_cast<float>(number) / 1024;  // exact in all four formats
    const auto f32 = std::bit_cast<std::uint32_t>(value);
    switch (type) {
      case kF32:
        out.Put(value);
        break;
      case kF64:
        out.Put(static_cast<double>(value));
        break;
      case kBF16:
        out.Put(static_cast<std::uint16_t>(f32 >> 16));
        break;
      case kF16:  // a scale of PutScale, with a random sign
        out.Put(static_cast<std::uint16_t>((5 + dice.Below(9)) << 10 | (dice.Next() >> 54) |
                                           (dice.Next() >> 63) << 15));
        break;
      default:
        out.Put(dice.Byte());
    }
  }
  return out.Take();
}

std::string LowerCase(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

FileBytes TypeFile(const TensorTypeInfo& info) {
  Dice dice(static_cast<std::uint64_t>(info.type) + 1);
  Model m = Base();
  if (info.quantised) m.Set("general.quantization_version", std::uint32_t{2});
  m.tensors.clear();
  Model::Tensor& tensor =
      m.Add("weight", info.type, {std::max<std::uint64_t>(info.block_elements, 8), 2});
  tensor.data = TensorData(info.type, tensor.data.size(), dice);
  return Write(m);
}

}  // namespace

FileBytes TensorData(TensorType type, std::uint64_t bytes, Dice& dice) {
  const TensorTypeInfo& info = *FindTensorType(static_cast<std::uint32_t>(type));
  if (!info.quantised) return Numbers(type, bytes, dice);
  FileBytes data(bytes);
  for (std::uint8_t& byte : data) byte = dice.Byte();
  for (std::size_t at = 0; at < data.size(); at += info.block_bytes) {
    const auto block = std::span(data).subspan(at, info.block_bytes);
    for (const Scale& scale : ScalesOf(type)) PutScale(block, scale, dice);
    Mend(type, block, dice);
  }
  return data;
}

Recipes TensorTypeRecipes() {
  Recipes recipes;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    std::vector<std::string> rules;
    if (info.type == TensorType::kQ8_1) rules = {"tensor-type-disputed"};
    recipes.push_back({.file = "valid/tensor-" + LowerCase(info.name) + ".gguf",
                       .shows = "a tensor of type " + std::string(info.name) + ", two rows",
                       .verdict = kAccept,
                       .rules = std::move(rules),
                       .recipe = "random codes, small finite scales",
                       .make = [&info] { return TypeFile(info); }});
  }
  return recipes;
}

}  // namespace ggufgate::corpus

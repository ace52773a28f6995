// Compares every kernel of every instruction set of this processor with the scalar one.

#include "dequantize/blocks/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "bytes/byte_order.h"
#include "dequantize/blocks/scalar.h"
#include "dequantize/float_mode.h"
#include "tests/support/dequantized.h"
#include "tests/support/sizes.h"

namespace ggufgate {
namespace {

using testing::AllGolden;
using testing::EdgeBlocks;
using testing::Golden;
using testing::RandomBlocks;
using testing::SameAsGolden;
using testing::SameFloats;

struct Kernel {
  TensorType type;
  void (*scalar)(Bytes, std::span<float>);
  void (*simd)(Bytes, std::span<float>);
};

constexpr std::array kKernels = {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  Kernel{TensorType::k##name, &scalar::Decode##name, &simd::Decode##name},
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
};

const TensorTypeInfo& InfoOf(const Kernel& kernel) {
  return *FindTensorType(static_cast<std::uint32_t>(kernel.type));
}

template <typename Decode>
std::vector<float> DecodedBy(const TensorTypeInfo& info, Bytes blocks, Decode decode) {
  std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements, -12345.0F);
  decode(blocks, out);
  return out;
}

// Simd runs its test once for each target.
class Simd : public ::testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override { simd::UseTarget(GetParam()); }
  void TearDown() override { simd::UseTarget(0); }
};

TEST_P(Simd, RandomBlocksOfAnyNumber) {
  for (const Kernel& kernel : kKernels) {
    const TensorTypeInfo& info = InfoOf(kernel);
    for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 17U, 33U, 500U}) {
      const auto blocks = RandomBlocks(info, count, count + 1);
      EXPECT_TRUE(
          SameFloats(DecodedBy(info, blocks, kernel.simd), DecodedBy(info, blocks, kernel.scalar)))
          << info.name << ", " << count << " blocks";
    }
  }
}

TEST_P(Simd, EdgeBlocksToo) {
  for (const Kernel& kernel : kKernels) {
    const TensorTypeInfo& info = InfoOf(kernel);
    const auto blocks = EdgeBlocks(info);
    EXPECT_TRUE(
        SameFloats(DecodedBy(info, blocks, kernel.simd), DecodedBy(info, blocks, kernel.scalar)))
        << info.name;
  }
}

TEST_P(Simd, GoldenBlocksToo) {
  for (const Golden& golden : AllGolden()) {
    for (const Kernel& kernel : kKernels) {
      if (kernel.type != golden.type->type) continue;
      EXPECT_TRUE(SameAsGolden(DecodedBy(*golden.type, golden.blocks, kernel.simd), golden))
          << golden.type->name;
    }
  }
}

// For F16, the bits of a NaN are specified; for BF16, all bits are.
TEST_P(Simd, HalvesToTheBit) {
  std::vector<std::uint8_t> halves;
  for (unsigned half = 0; half < 0x10000; ++half) {
    halves.push_back(static_cast<std::uint8_t>(half));
    halves.push_back(static_cast<std::uint8_t>(half >> 8));
  }
  for (const TensorType type : {TensorType::kF16, TensorType::kBF16}) {
    for (const Kernel& kernel : kKernels) {
      if (kernel.type != type) continue;
      const auto fast = DecodedBy(InfoOf(kernel), halves, kernel.simd);
      const auto slow = DecodedBy(InfoOf(kernel), halves, kernel.scalar);
      EXPECT_EQ(std::memcmp(fast.data(), slow.data(), fast.size() * sizeof(float)), 0);
    }
  }
}

// Nearest rounds in integers, ties to even.
float Nearest(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = value < 0 ? 0 - bits : bits;
  const int shift = std::max(0, static_cast<int>(std::bit_width(magnitude)) - 24);
  std::uint64_t kept = magnitude >> shift;
  const std::uint64_t twice_lost = (magnitude - (kept << shift)) * 2;
  const std::uint64_t unit = std::uint64_t{1} << shift;
  if (twice_lost > unit || (twice_lost == unit && kept % 2 == 1)) ++kept;
  const float nearest = std::ldexp(static_cast<float>(kept), shift);
  return value < 0 ? -nearest : nearest;
}

// WideIntegers are those around powers of two, and around the midpoints of adjacent floats.
std::vector<std::int64_t> WideIntegers() {
  std::vector<std::uint64_t> magnitudes = {0, 1};
  for (int power = 22; power < 64; ++power) {
    const std::uint64_t begin = std::uint64_t{1} << power;
    const std::uint64_t ulp = std::max<std::uint64_t>(begin >> 23, 2);
    for (const std::uint64_t floats : {0U, 1U, 2U, 0x7F'FFFEU, 0x7F'FFFFU}) {
      for (const std::uint64_t far :
           {0U, 1U, 2U, 0x3FFU, 0x400U, 0x7FFU, 0x800U, 0x801U, 0xFFFU, 0x1000U}) {
        for (const std::uint64_t middle : {begin + floats * ulp, begin + floats * ulp + ulp / 2}) {
          magnitudes.insert(magnitudes.end(), {middle + far, middle - far});
        }
      }
    }
  }
  std::vector<std::int64_t> integers;
  for (const std::uint64_t magnitude : magnitudes) {
    integers.push_back(static_cast<std::int64_t>(magnitude));
    integers.push_back(static_cast<std::int64_t>(0 - magnitude));
  }
  return integers;
}

// Kernels that convert through doubles could round twice.
TEST_P(Simd, WideIntegersAreRoundedOnce) {
  std::vector<float> expected;
  std::vector<std::uint8_t> blocks;
  for (const std::int64_t integer : WideIntegers()) {
    expected.push_back(Nearest(integer));
    blocks.resize(blocks.size() + sizeof(integer));
    Store(integer, ByteOrder::kLittle, std::span(blocks).last(sizeof(integer)));
  }
  std::vector<float> out(expected.size());
  scalar::DecodeI64(blocks, out);
  EXPECT_TRUE(SameFloats(out, expected));
  // At every position of a register.
  for (std::size_t skip = 0; skip < 16; ++skip) {
    out.assign(expected.size() - skip, -12345.0F);
    simd::DecodeI64(std::span(blocks).subspan(skip * sizeof(std::int64_t)), out);
    EXPECT_TRUE(SameFloats(out, std::span(expected).subspan(skip))) << skip;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTargets, Simd, ::testing::ValuesIn(simd::Targets()),
                         [](const auto& target) {
                           return std::string(simd::TargetName(target.param));
                         });

// Outputs larger than the caches are stored in another way: from any position of a cache line,
// exactly up to the last element.
TEST(Streamed, TheSameAsInPieces) {
  constexpr std::size_t kStreamed = std::size_t{8} << 20;
  std::vector<std::uint8_t> bytes((kStreamed + 61) * 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(i * 0x9E37'79B9'7F4A'7C15U >> 56);
  }
  std::vector<float> all(kStreamed + 70);
  std::vector<float> piece(61000);
  for (const Kernel& kernel : kKernels) {
    const std::size_t size = InfoOf(kernel).block_bytes;
    if (InfoOf(kernel).block_elements != 1 || size < sizeof(float)) continue;
    for (const std::int64_t target : simd::Targets()) {
      simd::UseTarget(target);
      for (const std::size_t place : {5U, 0U}) {
        if (!testing::kFullLength && place == 0) break;
        const Bytes blocks = std::span(bytes).first((kStreamed + 61 - place) * size);
        std::ranges::fill(all, -12345.0F);
        const auto out = std::span(all).subspan(place + 1, kStreamed + 61 - place);
        kernel.simd(blocks, out);
        EXPECT_EQ(all.at(place), -12345.0F);
        EXPECT_EQ(all.at(kStreamed + 62), -12345.0F);
        for (std::size_t at = 0; at < out.size(); at += piece.size()) {
          const auto some = std::span(piece).first(std::min(piece.size(), out.size() - at));
          kernel.simd(blocks.subspan(at * size, some.size() * size), some);
          ASSERT_TRUE(SameFloats(out.subspan(at, some.size()), some)) << InfoOf(kernel).name << at;
        }
      }
    }
  }
  simd::UseTarget(0);
}

TEST(Targets, EndWithTheScalarCode) {
  ASSERT_FALSE(simd::Targets().empty());
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#if GGUFGATE_SMOKE
  constexpr std::size_t kWithAvx2 = 2;  // GGUFGATE_FEW_VECTOR_TARGETS
#else
  constexpr std::size_t kWithAvx2 = 3;  // AVX2, SSSE3 and the scalar code
#endif
  EXPECT_GE(simd::Targets().size(), has_avx2 ? kWithAvx2 : 1U);
#endif
}

}  // namespace
}  // namespace ggufgate

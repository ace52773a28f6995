// Every kernel of every instruction set that this processor has, against the scalar one.

#include "dequantize/simd.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "dequantize/float_mode.h"
#include "dequantize/scalar.h"
#include "tests/support/dequantized.h"

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
#include "format/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
};

const TensorTypeInfo& InfoOf(const Kernel& kernel) {
  return *FindTensorType(static_cast<std::uint32_t>(kernel.type));
}

template <typename Decode>
std::vector<float> Decoded(const TensorTypeInfo& info, Bytes blocks, Decode decode) {
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
          SameFloats(Decoded(info, blocks, kernel.simd), Decoded(info, blocks, kernel.scalar)))
          << info.name << ", " << count << " blocks";
    }
  }
}

TEST_P(Simd, EdgeBlocksToo) {
  for (const Kernel& kernel : kKernels) {
    const TensorTypeInfo& info = InfoOf(kernel);
    const auto blocks = EdgeBlocks(info);
    EXPECT_TRUE(
        SameFloats(Decoded(info, blocks, kernel.simd), Decoded(info, blocks, kernel.scalar)))
        << info.name;
  }
}

TEST_P(Simd, GoldenBlocksToo) {
  for (const Golden& golden : AllGolden()) {
    for (const Kernel& kernel : kKernels) {
      if (kernel.type != golden.type->type) continue;
      EXPECT_TRUE(SameAsGolden(Decoded(*golden.type, golden.blocks, kernel.simd), golden))
          << golden.type->name;
    }
  }
}

// Of F16 the bits of a NaN are specified, and of BF16 those of everything.
TEST_P(Simd, HalvesToTheBit) {
  std::vector<std::uint8_t> halves;
  for (unsigned half = 0; half < 0x10000; ++half) {
    halves.push_back(static_cast<std::uint8_t>(half));
    halves.push_back(static_cast<std::uint8_t>(half >> 8));
  }
  for (const TensorType type : {TensorType::kF16, TensorType::kBF16}) {
    for (const Kernel& kernel : kKernels) {
      if (kernel.type != type) continue;
      const auto fast = Decoded(InfoOf(kernel), halves, kernel.simd);
      const auto slow = Decoded(InfoOf(kernel), halves, kernel.scalar);
      EXPECT_EQ(std::memcmp(fast.data(), slow.data(), fast.size() * sizeof(float)), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllTargets, Simd, ::testing::ValuesIn(simd::Targets()),
                         [](const auto& target) {
                           return std::string(simd::TargetName(target.param));
                         });

TEST(Targets, EndWithTheScalarCode) {
  ASSERT_FALSE(simd::Targets().empty());
#if defined(__x86_64__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  EXPECT_GE(simd::Targets().size(), has_avx2 ? 4U : 1U);
#endif
}

}  // namespace
}  // namespace ggufgate

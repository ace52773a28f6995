// Lies about the sizes of tensors: what the numbers come to when they are multiplied without an
// end, and what a loader takes them for.

#include "tests/mutate/lies/tensor_lies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace ggufgate::mutate {
namespace {

class TensorSizes : public TensorLies {};

TEST_F(TensorSizes, HaveProductsThatWrap) {
  std::set<std::string_view> targets;
  ExpectDimensions(
      "tensor-elements-wrap", all, [&](const Tensor& tensor, const TensorInfo& before) {
        const std::uint64_t wrapped = WrappedProductOf(tensor.dims);
        const std::uint64_t step = TypeOf(tensor).block_elements;
        const bool truth = wrapped == WrappedProductOf(before.dims);
        targets.insert(truth ? "truth" : wrapped == 0 ? "zero" : "little");
        // The product is 2^64 or more when a part of it does not fit the rest.
        std::uint64_t product = 1;
        bool wraps = false;
        for (const std::uint64_t dim : tensor.dims) {
          wraps = wraps || __builtin_mul_overflow(product, dim, &product);
        }
        return wraps && tensor.dims[0] % step == 0 &&
               std::ranges::none_of(tensor.dims, [](auto n) { return n >= kTop || n == 0; }) &&
               (truth || (wrapped % step == 0 && wrapped <= 64 * step));
      });
  EXPECT_EQ(targets, (std::set<std::string_view>{"truth", "zero", "little"}));
}

TEST_F(TensorSizes, HaveProductsOf63BitsThatDoNotWrap) {
  ExpectDimensions("tensor-elements-negative", all, [](const Tensor& tensor, const TensorInfo&) {
    const Wide product = ProductOf(tensor.dims);
    return product >= kTop && product < kWraps &&
           tensor.dims[0] % TypeOf(tensor).block_elements == 0;
  });
}

TEST_F(TensorSizes, MultiplyPowersOfTwo) {
  std::set<int> bits;
  std::set<std::uint32_t> counts;
  ExpectDimensions("tensor-elements-square", all, [&](const Tensor& tensor, const TensorInfo&) {
    int sum = 0;
    for (const std::uint64_t dim : tensor.dims) sum += std::countr_zero(dim);
    bits.insert(sum);
    counts.insert(tensor.dimension_count);
    return std::ranges::all_of(tensor.dims, [](auto n) { return std::has_single_bit(n); });
  });
  EXPECT_EQ(bits, (std::set<int>{63, 64}));
  EXPECT_EQ(counts, (std::set<std::uint32_t>{2, 3, 4}));
}

TEST_F(TensorSizes, HaveRowsWhoseBytesWrapBeforeTheyAreDivided) {
  std::set<bool> as_before;
  ExpectDimensions("tensor-row-wraps", {0, 1}, [&](const Tensor& tensor, const TensorInfo& before) {
    const TensorTypeInfo& type = TypeOf(tensor);
    const Wide bytes = ProductOf(std::array{tensor.dims[0], std::uint64_t{type.block_bytes}});
    const std::uint64_t taken = static_cast<std::uint64_t>(bytes) / type.block_elements;
    const std::uint64_t row = before.dims[0] / type.block_elements * type.block_bytes;
    as_before.insert(taken == row);
    return bytes >= kTop && tensor.dims[0] < kTop && tensor.dims[0] % type.block_elements == 0 &&
           tensor.dimension_count == 1 && taken < std::uint64_t{1024} * type.block_bytes;
  });
  EXPECT_TRUE(as_before.contains(true));
}

// BytesOf is the exact size of a tensor's data.
Wide BytesOf(const Tensor& tensor) {
  const TensorTypeInfo& type = TypeOf(tensor);
  return ProductOf(tensor.dims) / type.block_elements * type.block_bytes;
}

TEST_F(TensorSizes, HaveBytesThatWrapWhereElementsDoNot) {
  std::set<bool> to_the_true_size;
  ExpectDimensions(
      "tensor-bytes-wrap", {0, 1, 2}, [&](const Tensor& tensor, const TensorInfo& before) {
        const TensorTypeInfo& type = TypeOf(tensor);
        const std::uint64_t true_size =
            WrappedProductOf(before.dims) / type.block_elements * type.block_bytes;
        to_the_true_size.insert(static_cast<std::uint64_t>(BytesOf(tensor)) == true_size);
        return ProductOf(tensor.dims) < kTop && BytesOf(tensor) >= kTop;
      });
  EXPECT_TRUE(to_the_true_size.contains(true));
}

TEST_F(TensorSizes, HaveSizesThatPaddingTakesOver) {
  const auto padded = [](const Tensor& tensor) {
    return (BytesOf(tensor) + kSoundAlignment - 1) / kSoundAlignment * kSoundAlignment;
  };
  ExpectDimensions("tensor-padding-wraps", {0, 2, 3}, [&](const Tensor& tensor, const TensorInfo&) {
    return BytesOf(tensor) < kTop && padded(tensor) == kTop;
  });
  ExpectDimensions("tensor-bytes-pad-to-zero", {0, 2},
                   [&](const Tensor& tensor, const TensorInfo&) {
                     return BytesOf(tensor) < kWraps && padded(tensor) == kWraps &&
                            ProductOf(tensor.dims) < kTop;
                   });
}

// Claims are what a mutant's tensors behind those of the sound file say they take.
struct Claims {
  Wide end = 0;  // of the last
  std::uint64_t sound_end = 0;
  std::size_t count = 0;
};

Claims ClaimsOf(const File& mutant) {
  const Records records(mutant);
  Claims claims;
  for (std::size_t i = 0; i < records.draft.tensors.size(); ++i) {
    const Tensor& tensor = records.draft.tensors[i];
    EXPECT_EQ(tensor.offset, static_cast<std::uint64_t>(claims.end)) << "it stands elsewhere";
    const Wide size = BytesOf(tensor);
    claims.end += (size + kSoundAlignment - 1) / kSoundAlignment * kSoundAlignment;
    if (i + 1 == kSoundTensors) claims.sound_end = static_cast<std::uint64_t>(claims.end);
    if (i >= kSoundTensors) {
      EXPECT_LT(size, kTop);
    }
  }
  claims.count = records.draft.tensors.size() - kSoundTensors;
  return claims;
}

TEST_F(TensorSizes, AddUpToLittleMoreThanAll64Bits) {
  std::set<std::size_t> counts;
  std::set<std::uint64_t> beyond;
  for (const Told& told : ToldOf("tensor-total-wraps", 200)) {
    const Claims claims = ClaimsOf(told.bytes);
    counts.insert(claims.count);
    EXPECT_GE(claims.end, kWraps);
    beyond.insert(static_cast<std::uint64_t>(claims.end) - claims.sound_end);
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{3, 4, 5, 6}));
  EXPECT_EQ(beyond, (std::set<std::uint64_t>{0, 32, 64, 96}));
}

// The bound is that of rule tensor-total-overflow: 2^63 - 1 less 4 GiB.
TEST_F(TensorSizes, AddUpToJustMoreThanCanBeAddressed) {
  constexpr std::uint64_t kMost = kTop - 1 - (std::uint64_t{1} << 32);
  std::set<std::size_t> counts;
  std::set<bool> just_over;
  for (const Told& told : ToldOf("tensor-total-beyond", 400)) {
    const Claims claims = ClaimsOf(told.bytes);
    counts.insert(claims.count);
    EXPECT_GT(claims.end, kMost);
    EXPECT_LT(claims.end, Wide{kTop} + kTop);
    just_over.insert(claims.end - kSoundAlignment <= kMost);
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(just_over, (std::set<bool>{false, true}));
}

}  // namespace
}  // namespace ggufgate::mutate

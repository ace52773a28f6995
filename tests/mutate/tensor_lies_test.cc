// Lies about the tensor directory: which record lies, and what its numbers come to when they are
// multiplied without an end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kTimes = 400;
constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
constexpr Wide kWraps = Wide{1} << 64;

class TensorLies : public SoundFileTest {
 protected:
  // Fields are those of all tensors.
  template <typename Field>
  std::vector<ByteRange> Fields(Field field) const {
    std::vector<ByteRange> fields;
    for (const TensorInfo& tensor : document.tensors) fields.push_back(field(tensor));
    return fields;
  }

  // TheLiar is the one tensor whose dimensions are not those of the sound file; names, types and
  // all other tensors are as they were.
  std::size_t TheLiar(const Draft& draft) const {
    std::vector<std::size_t> liars;
    EXPECT_EQ(draft.tensors.size(), kSoundTensors);
    for (std::size_t i = 0; i < std::min(draft.tensors.size(), kSoundTensors); ++i) {
      const Tensor& tensor = draft.tensors[i];
      const TensorInfo& before = document.tensors[i];
      EXPECT_EQ(tensor.name, before.name);
      EXPECT_EQ(tensor.type, before.type_id);
      const bool same =
          tensor.dims == before.dims && tensor.dimension_count == before.dimension_count;
      if (!same) liars.push_back(i);
    }
    EXPECT_EQ(liars.size(), 1U);
    return liars.empty() ? 0 : liars.front();
  }

  // ExpectDimensions wants `promised` of every tensor that lies, and that each of `liars` does.
  template <typename Promised>
  void ExpectDimensions(std::string_view slug, std::set<std::size_t> liars, Promised promised) {
    SCOPED_TRACE(slug);
    std::set<std::size_t> lied;
    for (const Told& told : ToldOf(slug, kTimes)) {
      const Records records(told.bytes);
      const std::size_t i = TheLiar(records.draft);
      lied.insert(i);
      const Tensor& tensor = records.draft.tensors[i];
      EXPECT_TRUE(promised(tensor, document.tensors[i]))
          << tensor.name << testing::PrintToString(tensor.dims);
    }
    EXPECT_EQ(lied, liars);
  }

  const std::set<std::size_t> all = {0, 1, 2, 3};
};

const TensorTypeInfo& TypeOf(const Tensor& tensor) { return *FindTensorType(tensor.type); }

// ProductOf is exact while it has at most 128 bits, as with three factors of 2^42 it has.
template <typename Numbers>
Wide ProductOf(const Numbers& numbers) {
  Wide product = 1;
  for (const std::uint64_t number : numbers) {
    if (number != 0) {
      EXPECT_LE(product, ~Wide{0} / number) << "more than 128 bits";
    }
    product *= number;
  }
  return product;
}
std::uint64_t WrappedProductOf(const std::array<std::uint64_t, 4>& dims) {
  return dims[0] * dims[1] * dims[2] * dims[3];
}

TEST_F(TensorLies, ClaimNamesPastTheEnd) {
  ExpectLies("tensor-name-beyond",
             Fields([](const TensorInfo& tensor) { return tensor.NameLengthRange(); }),
             [&](std::uint64_t number, ByteRange field) { return number > Behind(field); });
}

TEST_F(TensorLies, ClaimDimensionsThatDoNotExist) {
  std::set<std::uint64_t> counts;
  ExpectLies("tensor-dimensions-claimed",
             Fields([](const TensorInfo& tensor) { return tensor.DimensionCountRange(); }),
             [&](std::uint64_t number, ByteRange) {
               counts.insert(number);
               return number > kMaximumDimensions;
             });
  EXPECT_EQ(*counts.begin(), kMaximumDimensions + 1);
  EXPECT_TRUE(counts.contains(UINT32_MAX));
}

TEST_F(TensorLies, NameTypesThatNobodyReads) {
  const auto fields = Fields([](const TensorInfo& tensor) { return tensor.TypeRange(); });
  std::set<std::uint64_t> removed;
  ExpectLies("tensor-type-removed", fields, [&](std::uint64_t number, ByteRange) {
    removed.insert(number);
    return true;
  });
  EXPECT_EQ(removed, (std::set<std::uint64_t>{4, 5, 31, 32, 33, 36, 37, 38}));
  std::set<std::uint64_t> foreign;
  ExpectLies("tensor-type-of-fork", fields, [&](std::uint64_t number, ByteRange) {
    foreign.insert(number);
    const auto type = static_cast<std::uint32_t>(number);
    return FindForeignType(type) != nullptr && FindTensorType(type) == nullptr;
  });
  EXPECT_GE(foreign.size(), 10U);
  ExpectLies("tensor-type-unknown", fields, [](std::uint64_t number, ByteRange) {
    return FindTensorType(static_cast<std::uint32_t>(number)) == nullptr;
  });
}

TEST_F(TensorLies, AddANameThatIsTooLong) {
  std::set<std::size_t> sizes;
  for (const Told& told : ToldOf("tensor-name-too-long", 100)) {
    EXPECT_EQ(At<std::uint64_t>(told.bytes, 8), kSoundTensors + 1);
    ASSERT_TRUE(told.lie_at.has_value());
    sizes.insert(At<std::uint64_t>(told.bytes, *told.lie_at));
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{64, 65, 127, 128, 255, 256}));
}

TEST_F(TensorLies, SayANameTwice) {
  std::set<std::string_view> doubled;
  for (const Told& told : ToldOf("tensor-name-twice", 100)) {
    const Records records(told.bytes);
    ASSERT_EQ(records.draft.tensors.size(), kSoundTensors + 1);
    for (const TensorInfo& tensor : document.tensors) {
      const auto count = std::ranges::count(records.draft.tensors, tensor.name, &Tensor::name);
      EXPECT_GE(count, 1);
      if (count == 2) doubled.insert(tensor.name);
    }
  }
  EXPECT_EQ(doubled.size(), kSoundTensors);
}

// Dimensions of 1 stand between those there were and the type, which has moved with all the rest.
TEST_F(TensorLies, WriteARecordOfFiveToNineDimensions) {
  std::set<std::uint32_t> counts;
  for (const Told& told : ToldOf("tensor-dimensions-five", kTimes)) {
    ASSERT_TRUE(told.lie_at.has_value());
    const auto liar = std::ranges::find_if(document.tensors, [&](const TensorInfo& tensor) {
      return tensor.DimensionCountRange().begin == *told.lie_at;
    });
    ASSERT_NE(liar, document.tensors.end());
    const auto count = At<std::uint32_t>(told.bytes, *told.lie_at);
    counts.insert(count);
    const std::uint64_t more = std::uint64_t{8} * (count - liar->dimension_count);
    const std::uint64_t at = liar->TypeRange().begin;
    ASSERT_EQ(told.bytes.size(), sound.size() + more);
    File expected = sound;
    const File ones = [&] {
      File bytes(more);
      for (std::size_t i = 0; i < more; i += 8) bytes[i] = 1;
      return bytes;
    }();
    Store(count, ByteOrder::kLittle, MutableBytes(expected).subspan(*told.lie_at));
    expected.insert(expected.begin() + static_cast<std::ptrdiff_t>(at), ones.begin(), ones.end());
    EXPECT_EQ(told.bytes, expected);
  }
  EXPECT_EQ(counts, (std::set<std::uint32_t>{5, 6, 7, 8, 9}));
}

TEST_F(TensorLies, MakeOneDimensionNegative) {
  std::set<std::uint64_t> numbers;
  ExpectDimensions("tensor-dimension-negative", all,
                   [&](const Tensor& tensor, const TensorInfo& before) {
                     std::size_t changed = 0;
                     for (std::size_t k = 0; k < 4; ++k) {
                       if (tensor.dims[k] == before.dims[k]) continue;
                       ++changed;
                       numbers.insert(tensor.dims[k]);
                       if (tensor.dims[k] < kTop) return false;
                     }
                     return changed == 1 && tensor.dims[0] % TypeOf(tensor).block_elements == 0;
                   });
  EXPECT_TRUE(numbers.contains(kTop));
  EXPECT_TRUE(numbers.contains(UINT64_MAX));
  EXPECT_GE(numbers.size(), 50U);
}

TEST_F(TensorLies, MakeANegativeDimensionThatWraps) {
  ExpectDimensions("tensor-dimension-negative-wraps", {0, 1, 3},  // the row of `half` is uneven
                   [](const Tensor& tensor, const TensorInfo& before) {
                     return std::ranges::count_if(tensor.dims, [](auto n) { return n >= kTop; }) ==
                                1 &&
                            tensor.dims[0] == before.dims[0] &&
                            WrappedProductOf(tensor.dims) == WrappedProductOf(before.dims);
                   });
}

TEST_F(TensorLies, MakeAnOuterDimensionZeroAndLayTheFileOutForIt) {
  std::set<std::size_t> dimensions;
  ExpectDimensions("tensor-dimension-zero", all,
                   [&](const Tensor& tensor, const TensorInfo& before) {
                     const auto zero = std::ranges::find(tensor.dims, 0U);
                     if (zero == tensor.dims.end()) return false;
                     dimensions.insert(static_cast<std::size_t>(zero - tensor.dims.begin()));
                     return tensor.dims[0] == before.dims[0] && tensor.data.empty();
                   });
  EXPECT_EQ(dimensions, (std::set<std::size_t>{1, 2, 3}));
  for (const Told& told : ToldOf("tensor-dimension-zero", 20)) {
    Records records(told.bytes);
    std::vector<std::uint64_t> offsets, laid_out;
    for (const Tensor& tensor : records.draft.tensors) offsets.push_back(tensor.offset);
    LayOut(records.draft);
    for (const Tensor& tensor : records.draft.tensors) laid_out.push_back(tensor.offset);
    EXPECT_EQ(offsets, laid_out);
  }
}

TEST_F(TensorLies, HaveProductsThatWrap) {
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

TEST_F(TensorLies, HaveProductsOf63BitsThatDoNotWrap) {
  ExpectDimensions("tensor-elements-negative", all, [](const Tensor& tensor, const TensorInfo&) {
    const Wide product = ProductOf(tensor.dims);
    return product >= kTop && product < kWraps &&
           tensor.dims[0] % TypeOf(tensor).block_elements == 0;
  });
}

TEST_F(TensorLies, MultiplyPowersOfTwo) {
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

TEST_F(TensorLies, HaveRowsWhoseBytesWrapBeforeTheyAreDivided) {
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

TEST_F(TensorLies, HaveBytesThatWrapWhereElementsDoNot) {
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

TEST_F(TensorLies, HaveSizesThatPaddingTakesOver) {
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

TEST_F(TensorLies, HaveRowsOfBlocksAndAPart) {
  std::set<bool> longer;
  ExpectDimensions("tensor-row-blocks", {1}, [&](const Tensor& tensor, const TensorInfo& before) {
    longer.insert(tensor.dims[0] > before.dims[0]);
    return tensor.dims[0] % 32 != 0 && tensor.dims[1] == before.dims[1];
  });
  EXPECT_EQ(longer, (std::set<bool>{false, true}));
  ExpectDimensions("tensor-row-blocks-scalar", {1}, [&](const Tensor& tensor, const TensorInfo&) {
    return tensor.dimension_count == 0;
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

TEST_F(TensorLies, AddUpToLittleMoreThanAll64Bits) {
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
TEST_F(TensorLies, AddUpToJustMoreThanCanBeAddressed) {
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

TEST_F(TensorLies, OddlyEmptyTheLastRow) {
  std::set<bool> cut;
  for (const Told& told : ToldOf("tensor-last-row-empty", 20)) {
    cut.insert(told.bytes.size() < sound.size());
    EXPECT_EQ(NumberAt(told.bytes, document.tensors.back().DimensionRange(0)), 0U);
    const std::uint64_t data = *document.data_begin + document.tensors.back().offset;
    EXPECT_GE(told.bytes.size(), data);
  }
  EXPECT_EQ(cut, (std::set<bool>{false, true}));
}

}  // namespace
}  // namespace ggufgate::mutate

// Lies about the names, dimensions and types of tensors: which record lies, and how.

#include "tests/mutate/lies/tensor_lies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace ggufgate::mutate {
namespace {

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
               return number > kReadDimensions;
             });
  EXPECT_EQ(*counts.begin(), kReadDimensions + 1);
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
  EXPECT_EQ(sizes, (std::set<std::size_t>{160, 161, 191, 192, 255, 256}));
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
TEST_F(TensorLies, WriteARecordOfSixToNineDimensions) {
  std::set<std::uint32_t> counts;
  for (const Told& told : ToldOf("tensor-dimensions-whole", kTimes)) {
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
  EXPECT_EQ(counts, (std::set<std::uint32_t>{6, 7, 8, 9}));
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

TEST(TensorLastRowEmpty, IsNoneOfTheFeedForwardNetwork) {
  const Mutation* const mutation = FindMutation("tensor-last-row-empty");
  ASSERT_NE(mutation, nullptr);
  Workshop workshop(21, std::size_t{8} << 10);
  const auto applies = [&](std::string_view name) {
    MutationContext& context = workshop.Fresh();
    PutSoundRecords(context);
    context.draft.tensors[kSoundTensors - 1].name = name;
    EXPECT_TRUE(context.Write());
    return mutation->apply(context);
  };
  EXPECT_FALSE(applies("blk.0.ffn_up.weight"));
  EXPECT_TRUE(applies("blk.0.attn_q.weight"));
}

}  // namespace
}  // namespace ggufgate::mutate

// Edits of the tensor directory: what each does to a record that is known.

#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

constexpr int kDirectoryEdits = 400;
const std::set<std::size_t> kAll = {0, 1, 2, 3};

class TensorDirectoryEdits : public EditTest {};

std::uint64_t Elements(const Tensor& tensor) {
  return tensor.dims[0] * tensor.dims[1] * tensor.dims[2] * tensor.dims[3];
}
// Rest is what but names, or but dimensions, must not change.
bool SameButName(Tensor after, const Tensor& before) {
  after.name = before.name;
  return Same(after, before);
}
bool SameButShape(Tensor after, const Tensor& before) {
  after.dims = before.dims;
  after.dimension_count = before.dimension_count;
  return Same(after, before);
}

TEST_F(TensorDirectoryEdits, AddATensorOfAnyTypeAnywhere) {
  std::set<std::uint32_t> types, counts;
  std::set<std::size_t> places;
  std::set<bool> with_data;
  Edit("tensor-add", 2000, [&](MutationContext& context) {
    const FixedVector<Tensor>& after = context.draft.tensors;
    ASSERT_EQ(after.size(), kSoundTensors + 1);
    std::size_t at = 0;
    while (at < kSoundTensors && Same(after[at], tensors[at])) ++at;
    const Tensor& added = after[at];
    for (std::size_t i = at; i < kSoundTensors; ++i) {
      EXPECT_TRUE(Same(after[i + 1], tensors[i]));
    }
    EXPECT_FALSE(added.name.empty());
    EXPECT_EQ(added.dims[0] % FindTensorType(added.type)->block_elements, 0U);
    with_data.insert(!added.data.empty());
    if (!added.data.empty()) {
      EXPECT_EQ(added.data.size(), SizeOfTensor(added));
    }
    types.insert(added.type);
    counts.insert(added.dimension_count);
    places.insert(at);
  });
  EXPECT_EQ(types.size(), AllTensorTypes().size());
  EXPECT_EQ(counts, (std::set<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(places.size(), kSoundTensors + 1);
  EXPECT_EQ(with_data.size(), 2U);
}

TEST_F(TensorDirectoryEdits, AddATensorWithoutDimensions) {
  Edit("tensor-add-scalar", 20, [&](MutationContext& context) {
    ASSERT_EQ(context.draft.tensors.size(), kSoundTensors + 1);
    EXPECT_EQ(std::ranges::count(context.draft.tensors, 0U, &Tensor::dimension_count), 1);
  });
}

TEST_F(TensorDirectoryEdits, GiveATensorAnotherName) {
  std::set<bool> of_blocks;
  const auto look = [&](const Tensor& after, const Tensor& before) {
    EXPECT_TRUE(SameButName(after, before));
    EXPECT_FALSE(after.name.empty());
    of_blocks.insert(after.name.starts_with("blk."));
  };
  EXPECT_EQ(EditOneTensor("tensor-rename", kDirectoryEdits, look), kAll);
  EXPECT_EQ(of_blocks.size(), 2U);
  std::set<std::size_t> sizes;
  EditOneTensor("tensor-name-size", kDirectoryEdits,
                [&](const Tensor& after, const Tensor& before) {
                  EXPECT_TRUE(SameButName(after, before));
                  sizes.insert(after.name.size());
                });
  EXPECT_EQ(sizes, (std::set<std::size_t>{0, 1, 2, 31, 32, 61, 62, 63, 64, 65}));
  EditOneTensor("tensor-name-bytes", kDirectoryEdits,
                [&](const Tensor& after, const Tensor& before) {
                  EXPECT_TRUE(SameButName(after, before));
                  EXPECT_LE(after.name.size(), 63U);
                });
}

TEST_F(TensorDirectoryEdits, SwapTwoNames) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  Edit("tensor-swap-names", 100, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(tensors, context.draft.tensors);
    ASSERT_EQ(changed.size(), 2U);
    for (const std::size_t i : changed) {
      EXPECT_TRUE(SameButName(context.draft.tensors[i], tensors[i]));
    }
    EXPECT_EQ(context.draft.tensors[changed[0]].name, tensors[changed[1]].name);
    EXPECT_EQ(context.draft.tensors[changed[1]].name, tensors[changed[0]].name);
    pairs.emplace(changed[0], changed[1]);
  });
  EXPECT_EQ(pairs.size(), 6U);
}

TEST_F(TensorDirectoryEdits, GiveATensorAnotherType) {
  std::set<std::uint32_t> types;
  const auto look = [&](Tensor after, const Tensor& before) {
    types.insert(after.type);
    EXPECT_NE(after.type, before.type);
    after.type = before.type;
    EXPECT_TRUE(Same(after, before));
  };
  EXPECT_EQ(EditOneTensor("tensor-retype", 2000, look), kAll);
  EXPECT_EQ(types.size(), AllTensorTypes().size());
}

TEST_F(TensorDirectoryEdits, ReadTheDataAsBlocksOfAnotherType) {
  const auto look = [&](const Tensor& after, const Tensor& before) {
    EXPECT_EQ(after.dimension_count, 1U);
    EXPECT_EQ(after.name, before.name);
    EXPECT_TRUE(std::ranges::equal(after.data, before.data));
    const std::uint64_t size = SizeOfTensor(after).value_or(0);
    EXPECT_LE(size, before.data.size());
    EXPECT_GT(size + FindTensorType(after.type)->block_bytes, before.data.size());
  };
  EXPECT_EQ(EditOneTensor("tensor-reinterpret", kDirectoryEdits, look), kAll);
}

TEST_F(TensorDirectoryEdits, ChangeADimension) {
  std::set<std::uint64_t> numbers;
  const auto look = [&](const Tensor& after, const Tensor& before) {
    EXPECT_TRUE(SameButShape(after, before));
    EXPECT_EQ(after.dimension_count, before.dimension_count);
    std::size_t changed = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (after.dims[k] == before.dims[k]) continue;
      ++changed;
      numbers.insert(after.dims[k]);
      EXPECT_LT(k, before.dimension_count);
    }
    EXPECT_EQ(changed, 1U);
  };
  EXPECT_EQ(EditOneTensor("tensor-dimension", 2000, look), kAll);
  EXPECT_THAT(numbers, ::testing::IsSupersetOf({std::uint64_t{1}, std::uint64_t{64},
                                                std::uint64_t{1} << 63, UINT64_MAX}));
}

TEST_F(TensorDirectoryEdits, StepByABlockOrARow) {
  std::set<std::uint64_t> rows, numbers;  // of `blocks`, which was 64 by 2
  EditOneTensor("tensor-dimension-step", 1000, [&](const Tensor& after, const Tensor& before) {
    EXPECT_TRUE(SameButShape(after, before));
    if (before.name != "blocks") return;
    if (after.dims[0] != 64) rows.insert(after.dims[0]);
    if (after.dims[1] != 2) numbers.insert(after.dims[1]);
  });
  EXPECT_EQ(rows, (std::set<std::uint64_t>{96, 32, 128}));  // 32 is a block less, and a half
  EXPECT_EQ(numbers, (std::set<std::uint64_t>{3, 1, 4}));
}

TEST_F(TensorDirectoryEdits, KeepTheNumberOfElements) {
  for (const std::string_view slug :
       {"tensor-transpose", "tensor-dimension-split", "tensor-dimension-merge"}) {
    const int more = slug.ends_with("split") ? 1 : slug.ends_with("merge") ? -1 : 0;
    EditOneTensor(slug, 200, [&](const Tensor& after, const Tensor& before) {
      EXPECT_TRUE(SameButShape(after, before));
      EXPECT_NE(after.dims, before.dims);
      EXPECT_EQ(Elements(after), Elements(before)) << after.name;
      EXPECT_EQ(int(after.dimension_count) - int(before.dimension_count), more);
      EXPECT_EQ(after.dims[3], 1U);
    });
  }
}

TEST_F(TensorDirectoryEdits, ChangeTheNumberOfDimensions) {
  std::set<std::uint32_t> counts;
  const auto look = [&](const Tensor& after, const Tensor& before) {
    EXPECT_TRUE(SameButShape(after, before));
    counts.insert(after.dimension_count);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(after.dims[k], k < after.dimension_count ? before.dims[k] : 1U);
    }
  };
  EXPECT_EQ(EditOneTensor("tensor-dimension-count", kDirectoryEdits, look), kAll);
  EXPECT_EQ(counts, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST_F(TensorDirectoryEdits, EmptyARowOrLeaveOneElement) {
  EXPECT_EQ(EditOneTensor("tensor-row-empty", 60,
                          [&](const Tensor& after, const Tensor& before) {
                            EXPECT_EQ(after.dims[0], 0U);
                            EXPECT_EQ(after.dims[1], before.dims[1]);
                            EXPECT_TRUE(after.data.empty());
                          }),
            kAll);
  EXPECT_EQ(EditOneTensor("tensor-one-element", 60,
                          [&](const Tensor& after, const Tensor& before) {
                            EXPECT_EQ(Elements(after), 1U);
                            EXPECT_EQ(after.dimension_count, before.dimension_count);
                          }),
            kAll);
}

TEST_F(TensorDirectoryEdits, DoNotApplyWithoutTensors) {
  MutationContext& context = Fresh();
  context.draft.tensors.Clear();
  ExpectRefusal(context,
                {"tensor-rename", "tensor-name-size", "tensor-name-bytes", "tensor-swap-names",
                 "tensor-retype", "tensor-reinterpret", "tensor-dimension", "tensor-dimension-step",
                 "tensor-transpose", "tensor-dimension-split", "tensor-dimension-merge",
                 "tensor-dimension-count", "tensor-row-empty", "tensor-one-element"});
}

TEST_F(TensorDirectoryEdits, DoNotApplyWhereThereIsNoRoom) {
  MutationContext& context = Fresh();
  while (!context.draft.tensors.Full()) context.draft.tensors.Add(tensors.front());
  ExpectRefusal(context, {"tensor-add", "tensor-add-scalar"});
  MutationContext& poor = Fresh();
  UseUp(poor);
  ExpectRefusal(poor, {"tensor-name-bytes"});
}

// A scalar has nothing to change, a vector nothing to swap, four dimensions are the most.
TEST_F(TensorDirectoryEdits, DoNotApplyToOtherShapes) {
  MutationContext& context = Fresh();
  context.draft.tensors.Cut(1);
  Tensor& only = context.draft.tensors[0];
  only.dimension_count = 0;
  only.dims = {1, 1, 1, 1};
  ExpectRefusal(context, {"tensor-dimension", "tensor-dimension-step", "tensor-transpose",
                          "tensor-dimension-split", "tensor-dimension-merge", "tensor-swap-names"});
  only.dimension_count = 4;
  ExpectRefusal(context, {"tensor-dimension-split"});
  only.dimension_count = 1;
  only.dims[0] = 11;  // a prime
  ExpectRefusal(context, {"tensor-dimension-split", "tensor-dimension-merge"});
}

}  // namespace
}  // namespace ggufgate::mutate

// Edits of tensor data: one tensor's bytes, and nothing of its record.

#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

constexpr int kDataEdits = 300;
const std::set<std::size_t> kAll = {0, 1, 2, 3};

class DataEdits : public EditTest {
 protected:
  // Data shows `look` the data of the tensor that was changed, after and before; the rest of the
  // record is as it was. All tensors are changed some time.
  template <typename Look>
  void Data(std::string_view slug, Look look) {
    const auto all = EditOneTensor(slug, kDataEdits, [&](Tensor after, const Tensor& before) {
      look(after.data, before.data);
      after.data = before.data;
      EXPECT_TRUE(Same(after, before));
    });
    EXPECT_EQ(all, kAll) << slug;
  }
};

// Changed is from the first byte to the last that differs, in data of one size.
ByteRange Changed(Bytes after, Bytes before) {
  return Difference(File(after.begin(), after.end()), File(before.begin(), before.end()));
}

TEST_F(DataEdits, ChangeAFewBytes) {
  std::set<std::size_t> counts;
  EditOneTensor("data-bytes", kDataEdits, [&](const Tensor& after, const Tensor& before) {
    EXPECT_LE(after.data.size(), before.data.size());
    if (after.data.size() != before.data.size()) return;
    std::size_t count = 0;
    for (std::size_t i = 0; i < before.data.size(); ++i) count += after.data[i] != before.data[i];
    counts.insert(count);
  });
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3, 4}));
}

TEST_F(DataEdits, PutARunOfOneByteOrOfNoise) {
  std::set<std::uint8_t> fills;
  std::set<std::uint64_t> sizes;
  Data("data-run", [&](Bytes after, Bytes before) {
    const ByteRange run = Changed(after, before);
    sizes.insert(run.size);
    const Bytes bytes = after.subspan(run.begin, run.size);
    fills.insert(bytes.front());
    EXPECT_EQ(std::ranges::count(bytes, bytes.front()), std::ssize(bytes));
  });
  EXPECT_EQ(fills, (std::set<std::uint8_t>{0x00, 0x01, 0x3F, 0x7F, 0x80, 0xFF}));
  EXPECT_EQ(*sizes.begin(), 1U);
  EXPECT_GT(*sizes.rbegin(), 32U);
  std::set<std::uint8_t> noise;
  Data("data-noise", [&](Bytes after, Bytes before) {
    EXPECT_EQ(after.size(), before.size());
    noise.insert(after[Changed(after, before).begin]);
  });
  EXPECT_GE(noise.size(), 100U);
}

TEST_F(DataEdits, FillAllOfATensor) {
  std::set<std::uint8_t> fills;
  Data("data-fill", [&](Bytes after, Bytes before) {
    EXPECT_EQ(after.size(), before.size());
    EXPECT_EQ(std::ranges::count(after, after.front()), std::ssize(after));
    fills.insert(after.front());
  });
  EXPECT_THAT(fills, ::testing::IsSupersetOf({0x00, 0x3F, 0x7F, 0x80, 0xFF}));
}

// Of the 34 bytes of a Q8_0 block the first two are the scale; the last two may be.
TEST_F(DataEdits, PutAScaleAtEitherEndOfABlock) {
  std::set<std::uint64_t> places;
  EditOneTensor("data-scale", 1000, [&](const Tensor& after, const Tensor& before) {
    ASSERT_EQ(after.data.size(), before.data.size());
    const std::uint64_t block = FindTensorType(before.type)->block_bytes;
    const ByteRange changed = Changed(after.data, before.data);
    EXPECT_LE(changed.size, 2U);
    if (before.name == "blocks") places.insert(changed.begin % block / 2 * 2);
  });
  EXPECT_EQ(places, (std::set<std::uint64_t>{0, 32}));
}

TEST_F(DataEdits, CopyABlockOverAnother) {
  std::set<std::pair<std::size_t, std::size_t>> copies;
  for (int i = 0; i < kDataEdits; ++i) {
    MutationContext& context = Fresh();
    std::swap(context.draft.tensors[0], context.draft.tensors[1]);
    context.draft.tensors.Cut(1);  // four blocks of Q8_0
    const MutableBytes data = context.arena.Copy(context.draft.tensors[0].data);
    for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<std::uint8_t>(k / 34);
    context.draft.tensors[0].data = data;
    ASSERT_TRUE(Apply(context, "data-block"));
    const Bytes after = context.draft.tensors[0].data;
    const ByteRange changed = Changed(after, data);
    ASSERT_EQ(changed.size, 34U);
    ASSERT_EQ(changed.begin % 34, 0U);
    EXPECT_EQ(std::ranges::count(after.subspan(changed.begin, 34), after[changed.begin]), 34);
    copies.emplace(after[changed.begin], changed.begin / 34);
  }
  EXPECT_EQ(copies.size(), 12U);
}

TEST_F(DataEdits, SwapTheDataOfTwoTensors) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  Edit("data-swap", 100, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(tensors, context.draft.tensors);
    ASSERT_EQ(changed.size(), 2U);
    EXPECT_EQ(context.draft.tensors[changed[0]].data.data(), tensors[changed[1]].data.data());
    EXPECT_EQ(context.draft.tensors[changed[1]].data.data(), tensors[changed[0]].data.data());
    EXPECT_EQ(context.draft.tensors[changed[0]].name, tensors[changed[0]].name);
    pairs.emplace(changed[0], changed[1]);
  });
  EXPECT_EQ(pairs.size(), 6U);
}

TEST_F(DataEdits, LeaveTheEndOrTheFront) {
  std::set<bool> whole;
  Data("data-shift", [](Bytes after, Bytes before) {
    ASSERT_LT(after.size(), before.size());
    ASSERT_FALSE(after.empty());
    EXPECT_EQ(&after.back(), &before.back());
  });
  Data("data-hole", [&](Bytes after, Bytes before) {
    ASSERT_LT(after.size(), before.size());
    EXPECT_EQ(after.data(), before.data());
    whole.insert(after.empty());
  });
  EXPECT_EQ(whole.size(), 2U);
}

const std::vector<std::string_view> kOfOneTensor = {"data-bytes", "data-run",   "data-noise",
                                                    "data-scale", "data-block", "data-fill",
                                                    "data-shift", "data-hole"};

TEST_F(DataEdits, DoNotApplyWithoutData) {
  MutationContext& context = Fresh();
  for (Tensor& tensor : context.draft.tensors) tensor.data = {};
  ExpectRefusal(context, kOfOneTensor);
  context.draft.tensors.Cut(1);
  ExpectRefusal(context, {"data-swap"});
  context.draft.tensors.Clear();
  ExpectRefusal(context, kOfOneTensor);
}

TEST_F(DataEdits, DoNotApplyWithoutScratch) {
  MutationContext& context = Fresh();
  UseUp(context);
  ExpectRefusal(context,
                {"data-bytes", "data-run", "data-noise", "data-scale", "data-block", "data-fill"});
}

}  // namespace
}  // namespace ggufgate::mutate

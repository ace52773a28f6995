// Edits that borrow from a donor: what they take, what they leave, and nothing without a donor.

#include "mutate/build/compose.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

class CrossoverEdits : public EditTest {
 protected:
  // WithDonor has two records of each kind to borrow, of which one has a name of the draft's.
  MutationContext& WithDonor() {
    MutationContext& context = Fresh();
    Arena& arena = context.arena;
    context.donor.entries.Add(NumberEntry(arena, "donor.number", std::uint64_t{99}));
    context.donor.entries.Add(TextEntry(arena, "user.text", "borrowed"));
    const MutableBytes tail = arena.Take(256);
    std::ranges::fill(tail, std::uint8_t{0xD0});
    context.donor.tail = tail;
    for (const std::string_view name : {"donated", "half"}) {
      context.donor.tensors.Add({.name = name,
                                 .dimension_count = 1,
                                 .dims = {16, 1, 1, 1},
                                 .type = static_cast<std::uint32_t>(TensorType::kI8),
                                 .data = Bytes(tail).first(16)});
    }
    return context;
  }
  template <typename Look>
  void Borrow(std::string_view slug, int times, Look look) {
    SCOPED_TRACE(slug);
    for (int i = 0; i < times; ++i) {
      MutationContext& context = WithDonor();
      const std::size_t had = context.donor.entries.size() + context.donor.tensors.size();
      ASSERT_TRUE(Apply(context, slug));
      EXPECT_EQ(context.donor.entries.size() + context.donor.tensors.size(), had);
      look(context);
    }
  }
};

const std::vector<std::string_view> kBorrows = {
    "structure-borrow-entry",   "structure-borrow-value",    "structure-borrow-tensor",
    "structure-borrow-data",    "structure-borrow-tail",     "structure-borrow-entries",
    "structure-borrow-tensors", "structure-borrow-directory"};

TEST_F(CrossoverEdits, DoNotApplyWithoutADonor) { ExpectRefusal(Fresh(), kBorrows); }

TEST_F(CrossoverEdits, TakeAnEntryInThePlaceOfTheirOwn) {
  std::set<std::size_t> added_at;
  bool replaced = false;
  Borrow("structure-borrow-entry", 200, [&](MutationContext& context) {
    const FixedVector<Entry>& after = context.draft.entries;
    if (after.size() == kSoundEntries) {
      replaced = true;
      EXPECT_EQ(ChangedAmong(entries, after), std::vector<std::size_t>{2});
      EXPECT_TRUE(Same(after[2], context.donor.entries[1]));
      return;
    }
    ASSERT_EQ(after.size(), kSoundEntries + 1);
    const auto added = std::ranges::find(after, "donor.number", &Entry::key);
    ASSERT_NE(added, after.end());
    EXPECT_TRUE(Same(*added, context.donor.entries[0]));
    added_at.insert(static_cast<std::size_t>(added - after.begin()));
  });
  EXPECT_TRUE(replaced);
  EXPECT_EQ(added_at.size(), kSoundEntries + 1);
}

TEST_F(CrossoverEdits, TakeAValueUnderAKeyOfTheirOwn) {
  std::set<std::size_t> own;
  Borrow("structure-borrow-value", 200, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(entries, context.draft.entries);
    ASSERT_EQ(changed.size(), 1U);
    Entry now = context.draft.entries[changed.front()];
    EXPECT_EQ(now.key, entries[changed.front()].key);
    own.insert(changed.front());
    const bool first = now.type == context.donor.entries[0].type;
    now.key = context.donor.entries[first ? 0 : 1].key;
    EXPECT_TRUE(Same(now, context.donor.entries[first ? 0 : 1]));
  });
  EXPECT_EQ(own.size(), kSoundEntries);
}

TEST_F(CrossoverEdits, TakeATensorWithItsData) {
  std::set<std::size_t> sizes;
  Borrow("structure-borrow-tensor", 100, [&](MutationContext& context) {
    const FixedVector<Tensor>& after = context.draft.tensors;
    sizes.insert(after.size());
    const std::string_view name = after.size() == kSoundTensors ? "half" : "donated";
    EXPECT_EQ(std::ranges::count(after, name, &Tensor::name), 1);
    const Tensor& taken = *std::ranges::find(after, name, &Tensor::name);
    EXPECT_EQ(taken.data.size(), 16U);
    EXPECT_EQ(taken.data.front(), 0xD0);
  });
  EXPECT_EQ(sizes, (std::set<std::size_t>{kSoundTensors, kSoundTensors + 1}));
}

TEST_F(CrossoverEdits, TakeDataAndLeaveTheRecord) {
  std::set<std::size_t> own;
  Borrow("structure-borrow-data", 100, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(tensors, context.draft.tensors);
    ASSERT_EQ(changed.size(), 1U);
    Tensor now = context.draft.tensors[changed.front()];
    EXPECT_EQ(now.data.size(), 16U);
    EXPECT_EQ(now.data.front(), 0xD0);
    now.data = tensors[changed.front()].data;
    EXPECT_TRUE(Same(now, tensors[changed.front()]));
    own.insert(changed.front());
  });
  EXPECT_EQ(own.size(), kSoundTensors);
}

// 48, 136, 10 and 40 bytes are wanted, 256 are there.
TEST_F(CrossoverEdits, CutTheTailUpForTheirTensors) {
  Borrow("structure-borrow-tail", 2, [&](MutationContext& context) {
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < kSoundTensors; ++i) {
      const Bytes data = context.draft.tensors[i].data;
      EXPECT_EQ(data.data(), context.donor.tail.subspan(at).data());
      EXPECT_EQ(data.size(), tensors[i].data.size());
      at += data.size();
    }
  });
  MutationContext& context = WithDonor();
  context.donor.tail = context.donor.tail.first(50);  // ends in the second
  ASSERT_TRUE(Apply(context, "structure-borrow-tail"));
  EXPECT_EQ(context.draft.tensors[1].data.size(), 2U);
  EXPECT_TRUE(context.draft.tensors[2].data.empty());
}

TEST_F(CrossoverEdits, PutTheEndOfOneListBehindTheFrontOfAnother) {
  std::set<std::pair<std::size_t, std::size_t>> splices;  // own, borrowed
  Borrow("structure-borrow-entries", 400, [&](MutationContext& context) {
    const FixedVector<Entry>& after = context.draft.entries;
    std::size_t own = 0;
    while (own < after.size() && own < kSoundEntries && Same(after[own], entries[own])) ++own;
    const std::size_t borrowed = after.size() - own;
    ASSERT_GE(borrowed, 1U);
    ASSERT_LE(borrowed, 2U);
    EXPECT_TRUE(Same(after[after.size() - 1], context.donor.entries[1]));
    splices.emplace(own, borrowed);
  });
  EXPECT_EQ(splices.size(), 2 * (kSoundEntries + 1));
  std::set<std::size_t> sizes;
  Borrow("structure-borrow-tensors", 100, [&](MutationContext& context) {
    sizes.insert(context.draft.tensors.size());
    EXPECT_EQ(context.draft.tensors.back().name, "half");
  });
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(CrossoverEdits, TakeAllTensorsAndNoEntry) {
  Borrow("structure-borrow-directory", 2, [&](MutationContext& context) {
    EXPECT_TRUE(ChangedAmong(entries, context.draft.entries).empty());
    ASSERT_EQ(context.draft.tensors.size(), 2U);
    EXPECT_EQ(context.draft.tensors[0].name, "donated");
    EXPECT_EQ(context.draft.tail.data(), context.donor.tail.data());
  });
}

TEST_F(CrossoverEdits, DoNotApplyWhereTheyHaveNothingOfTheirOwn) {
  MutationContext& context = WithDonor();
  context.draft.entries.Clear();
  context.draft.tensors.Clear();
  ExpectRefusal(context,
                {"structure-borrow-value", "structure-borrow-data", "structure-borrow-tail"});
}

// A full table takes no more; what there is room for, a splice takes.
TEST_F(CrossoverEdits, StandFullTables) {
  MutationContext& context = WithDonor();
  context.donor.entries.Cut(1);
  context.donor.tensors.Cut(1);
  while (!context.draft.entries.Full()) context.draft.entries.Add(entries.front());
  while (!context.draft.tensors.Full()) context.draft.tensors.Add(tensors.front());
  ExpectRefusal(context, {"structure-borrow-entry", "structure-borrow-tensor"});
  EXPECT_TRUE(Apply(context, "structure-borrow-entries"));
  EXPECT_LE(context.draft.entries.size(), Draft::kMostEntries);
}

}  // namespace
}  // namespace ggufgate::mutate

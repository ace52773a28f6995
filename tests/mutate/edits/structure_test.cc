// Edits that move, copy and drop records, and those of version and alignment.

#include "mutate/build/entry_value.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

class StructureEdits : public EditTest {
 protected:
  using Order = std::vector<std::string_view>;
  static Order KeysOf(const MutationContext& context) {
    Order keys;
    for (const Entry& entry : context.draft.entries) keys.push_back(entry.key);
    return keys;
  }
  static Order NamesOf(const MutationContext& context) {
    Order names;
    for (const Tensor& tensor : context.draft.tensors) names.push_back(tensor.name);
    return names;
  }
};

// Dropped is what one list lacks of another: a run from `first` on. The rest is in order.
struct Dropped {
  std::size_t first = 0, count = 0;
  auto operator<=>(const Dropped&) const = default;
};
Dropped DroppedFrom(std::vector<std::string_view> before,
                    const std::vector<std::string_view>& after) {
  const auto first = std::ranges::mismatch(before, after).in1;
  const Dropped dropped = {static_cast<std::size_t>(first - before.begin()),
                           before.size() - after.size()};
  before.erase(first, first + static_cast<std::ptrdiff_t>(dropped.count));
  EXPECT_EQ(before, after);
  return dropped;
}

TEST_F(StructureEdits, DropARecordOrARun) {
  const Order keys = KeysOf(Fresh()), names = NamesOf(Fresh());
  std::set<std::size_t> entry, tensor;
  std::set<Dropped> run;
  Edit("structure-drop-entry", 200, [&](MutationContext& context) {
    ASSERT_EQ(context.draft.entries.size(), kSoundEntries - 1);
    entry.insert(DroppedFrom(keys, KeysOf(context)).first);
  });
  Edit("structure-drop-tensor", 100, [&](MutationContext& context) {
    ASSERT_EQ(context.draft.tensors.size(), kSoundTensors - 1);
    tensor.insert(DroppedFrom(names, NamesOf(context)).first);
  });
  Edit("structure-drop-tensors", 200,
       [&](MutationContext& context) { run.insert(DroppedFrom(names, NamesOf(context))); });
  Edit("structure-drop-entries", 50,
       [&](MutationContext& context) { EXPECT_GT(DroppedFrom(keys, KeysOf(context)).count, 0U); });
  EXPECT_EQ(entry.size(), kSoundEntries);
  EXPECT_EQ(tensor.size(), kSoundTensors);
  EXPECT_EQ(run.size(), 10U);  // of four: 4 of one, 3 of two, 2 of three, all
}

// One is elsewhere, all others are in their order.
TEST_F(StructureEdits, MoveOneRecord) {
  const Order names = NamesOf(Fresh());
  std::set<Order> expected, seen;
  for (std::size_t from = 0; from < names.size(); ++from) {
    for (std::size_t to = 0; to < names.size(); ++to) {
      Order order = names;
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), names[from]);
      if (from != to) expected.insert(order);
    }
  }
  Edit("structure-move-tensor", 400,
       [&](MutationContext& context) { seen.insert(NamesOf(context)); });
  EXPECT_EQ(seen, expected);
  const Order keys = KeysOf(Fresh());
  Edit("structure-move-entry", 50, [&](MutationContext& context) {
    EXPECT_NE(KeysOf(context), keys);
    EXPECT_TRUE(std::ranges::is_permutation(KeysOf(context), keys));
  });
}

TEST_F(StructureEdits, ShuffleRecordsIntoEveryOrder) {
  std::set<Order> orders;
  Edit("structure-shuffle-tensors", 500,
       [&](MutationContext& context) { orders.insert(NamesOf(context)); });
  EXPECT_EQ(orders.size(), 24U);
  std::set<std::string_view> first;
  Edit("structure-shuffle-entries", 200, [&](MutationContext& context) {
    EXPECT_TRUE(std::ranges::is_permutation(
        context.draft.entries, entries, [](const Entry& a, const Entry& b) { return Same(a, b); }));
    first.insert(context.draft.entries[0].key);
  });
  EXPECT_EQ(first.size(), kSoundEntries);
}

TEST_F(StructureEdits, CopyATensorUnderANewName) {
  std::set<std::string_view> copied;
  Edit("structure-copy-tensor", 100, [&](MutationContext& context) {
    Order names = NamesOf(context);
    ASSERT_EQ(names.size(), kSoundTensors + 1);
    for (const Tensor& tensor : context.draft.tensors) {
      const bool fresh = std::ranges::find(tensors, tensor.name, &Tensor::name) == tensors.end();
      if (!fresh) continue;
      const auto like = std::ranges::find_if(tensors, [&](const Tensor& before) {
        return before.type == tensor.type && before.dims == tensor.dims;
      });
      ASSERT_NE(like, tensors.end());
      EXPECT_TRUE(std::ranges::equal(like->data, tensor.data));
      copied.insert(like->name);
    }
  });
  EXPECT_EQ(copied.size(), kSoundTensors);
}

TEST_F(StructureEdits, StartOverWithAnArchitecture) {
  Edit("structure-start-over", 3, [&](MutationContext& context) {
    EXPECT_TRUE(context.draft.tensors.empty());
    ASSERT_EQ(context.draft.entries.size(), 1U);
    EXPECT_EQ(context.draft.entries[0].key, "general.architecture");
    EXPECT_EQ(TextOf(context.draft.entries[0]), "llama");
  });
}

TEST_F(StructureEdits, DoNotApplyWhereThereIsNothing) {
  MutationContext& context = Fresh();
  context.draft.entries.Cut(1);
  context.draft.tensors.Cut(1);
  ExpectRefusal(
      context, {"structure-drop-entries", "structure-drop-tensors", "structure-move-entry",
                "structure-move-tensor", "structure-shuffle-entries", "structure-shuffle-tensors"});
  context.draft.entries.Clear();
  context.draft.tensors.Clear();
  ExpectRefusal(context, {"structure-drop-entry", "structure-drop-tensor", "structure-copy-tensor",
                          "structure-start-over"});
}

TEST_F(StructureEdits, DoNotApplyWhereTablesAreFull) {
  MutationContext& context = Fresh();
  while (!context.draft.tensors.Full()) context.draft.tensors.Add(tensors.front());
  ExpectRefusal(context, {"structure-copy-tensor"});
  MutationContext& poor = Fresh();
  UseUp(poor);
  ExpectRefusal(poor, {"structure-copy-tensor"});
}

}  // namespace
}  // namespace ggufgate::mutate

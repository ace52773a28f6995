// Edits of version and alignment.

#include "mutate/build/entry_value.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

using Numbers = std::set<std::uint64_t>;
constexpr std::size_t kAlignmentPlace = 7;

class LayoutEdits : public EditTest {
 protected:
  // Place is where the one alignment stands; the other records are there, in order.
  std::size_t PlaceIn(const MutationContext& context, std::size_t others) const {
    std::vector<std::size_t> places;
    std::vector<std::string_view> rest;
    for (std::size_t i = 0; i < context.draft.entries.size(); ++i) {
      const std::string_view key = context.draft.entries[i].key;
      if (key == kAlignmentKey) {
        places.push_back(i);
      } else {
        rest.push_back(key);
      }
    }
    EXPECT_EQ(places.size(), 1U);
    EXPECT_EQ(rest.size(), others);
    return places.empty() ? 0 : places.front();
  }
};

TEST_F(LayoutEdits, GiveTheAlignmentAnotherValue) {
  for (const auto& [slug, expected] : std::vector<std::pair<std::string_view, Numbers>>{
           {"layout-alignment", {1, 2, 4, 8, 16, 64, 128, 4096, 16384, 65536, 1U << 20}},
           {"layout-alignment-small", {1, 2, 4}}}) {
    Numbers numbers;
    const auto look = [&](const Entry& after, const Entry&) {
      EXPECT_TRUE(Is(after, ValueType::kU32));
      numbers.insert(UnsignedOf(after).value_or(0));
    };
    EXPECT_EQ(EditOneEntry(slug, 1000, look), std::set<std::size_t>{kAlignmentPlace});
    EXPECT_EQ(numbers, expected) << slug;  // 32 is what it was
  }
}

// Where the file does not say: anywhere, or where the edit says.
TEST_F(LayoutEdits, AddTheAlignmentWhereThereIsNone) {
  for (const std::string_view slug : {"layout-alignment", "layout-alignment-small",
                                      "layout-alignment-first", "layout-alignment-last"}) {
    std::set<std::size_t> places;
    for (int i = 0; i < 200; ++i) {
      MutationContext& context = Fresh();
      context.draft.entries.Remove(kAlignmentPlace);
      ASSERT_TRUE(Apply(context, slug));
      places.insert(PlaceIn(context, kSoundEntries - 1));
    }
    std::set<std::size_t> expected = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    if (slug.ends_with("first")) expected = {0};
    if (slug.ends_with("last")) expected = {kSoundEntries - 1};
    EXPECT_EQ(places, expected) << slug;
  }
}

TEST_F(LayoutEdits, MoveTheAlignmentAndKeepItsValue) {
  for (const std::string_view slug : {"layout-alignment-first", "layout-alignment-last"}) {
    Edit(slug, 5, [&](MutationContext& context) {
      const std::size_t place = PlaceIn(context, kSoundEntries - 1);
      EXPECT_EQ(place, slug.ends_with("first") ? 0 : kSoundEntries - 1);
      EXPECT_TRUE(Same(context.draft.entries[place], entries[kAlignmentPlace]));
    });
  }
}

TEST_F(LayoutEdits, DropTheAlignment) {
  Edit("layout-alignment-default", 3, [&](MutationContext& context) {
    EXPECT_EQ(context.draft.Find(kAlignmentKey), nullptr);
    EXPECT_EQ(context.draft.entries.size(), kSoundEntries - 1);
    ExpectRefusal(context, {"layout-alignment-default"});
  });
}

TEST_F(LayoutEdits, TurnTheVersion) {
  for (const auto& [before, after] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 2}, {2, 3}, {1, 2}, {77, 2}}) {
    MutationContext& context = Fresh();
    context.draft.version = before;
    EXPECT_TRUE(Apply(context, "layout-version"));
    EXPECT_EQ(context.draft.version, after);
  }
}

TEST_F(LayoutEdits, DoNotApplyWithoutRoom) {
  MutationContext& context = Fresh();
  UseUp(context);
  ExpectRefusal(context, {"layout-alignment", "layout-alignment-small"});
  MutationContext& full = Fresh();
  full.draft.entries.Remove(kAlignmentPlace);
  while (!full.draft.entries.Full()) full.draft.entries.Add(entries.front());
  ExpectRefusal(full, {"layout-alignment", "layout-alignment-small", "layout-alignment-first",
                       "layout-alignment-last"});
}

}  // namespace
}  // namespace ggufgate::mutate

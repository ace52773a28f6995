#pragma once

// Edits, one by one, on the records of the sound file: before repair.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <vector>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {

inline bool Same(const Entry& a, const Entry& b) {
  return a.key == b.key && a.type == b.type && std::ranges::equal(a.value, b.value);
}
inline bool Same(const Tensor& a, const Tensor& b) {
  return a.name == b.name && a.dimension_count == b.dimension_count && a.dims == b.dims &&
         a.type == b.type && std::ranges::equal(a.data, b.data);
}

// ChangedAmong are the places at which two lists of one length differ.
template <typename Record>
std::vector<std::size_t> ChangedAmong(const std::vector<Record>& before,
                                      const FixedVector<Record>& after) {
  std::vector<std::size_t> changed;
  EXPECT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (!Same(before[i], after[i])) changed.push_back(i);
  }
  return changed;
}

class EditTest : public ::testing::Test {
 protected:
  // Fresh lays the records of the sound file on the context; the donor has none.
  MutationContext& Fresh() {
    MutationContext& context = workshop.Fresh();
    context.donor.Clear();
    PutSoundRecords(context);
    entries.assign(context.draft.entries.begin(), context.draft.entries.end());
    tensors.assign(context.draft.tensors.begin(), context.draft.tensors.end());
    return context;
  }
  static bool Apply(MutationContext& context, std::string_view slug) {
    const Mutation* const edit = FindMutation(slug);
    EXPECT_NE(edit, nullptr) << slug;
    return edit != nullptr && edit->apply(context);
  }

  // Edit applies an edit to one fresh context after the other, and shows what it did to `look`.
  template <typename Look>
  void Edit(std::string_view slug, int times, Look look) {
    SCOPED_TRACE(slug);
    int applied = 0;
    for (int i = 0; i < times; ++i) {
      MutationContext& context = Fresh();
      if (!Apply(context, slug)) continue;
      ++applied;
      look(context);
    }
    EXPECT_GT(applied, 0);
  }

  // EditOneEntry wants one entry changed at most, none of whose key, and gives its index to `look`
  // where one is; it gives the entries that were changed some time.
  template <typename Look>
  std::set<std::size_t> EditOneEntry(std::string_view slug, int times, Look look) {
    std::set<std::size_t> ever;
    Edit(slug, times, [&](MutationContext& context) {
      EXPECT_TRUE(ChangedAmong(tensors, context.draft.tensors).empty());
      const std::vector<std::size_t> changed = ChangedAmong(entries, context.draft.entries);
      ASSERT_LE(changed.size(), 1U);
      if (changed.empty()) return;
      const std::size_t i = changed.front();
      ever.insert(i);
      EXPECT_EQ(context.draft.entries[i].key, entries[i].key);
      look(context.draft.entries[i], entries[i]);
    });
    return ever;
  }
  // EditOneTensor is the same for tensors.
  template <typename Look>
  std::set<std::size_t> EditOneTensor(std::string_view slug, int times, Look look) {
    std::set<std::size_t> ever;
    Edit(slug, times, [&](MutationContext& context) {
      EXPECT_TRUE(ChangedAmong(entries, context.draft.entries).empty());
      const std::vector<std::size_t> changed = ChangedAmong(tensors, context.draft.tensors);
      ASSERT_LE(changed.size(), 1U);
      if (changed.empty()) return;
      const std::size_t i = changed.front();
      ever.insert(i);
      look(context.draft.tensors[i], tensors[i]);
    });
    return ever;
  }

  // ExpectRefusal wants that edits do not apply to the context, and leave it as it is.
  void ExpectRefusal(MutationContext& context, const std::vector<std::string_view>& slugs) {
    const std::vector<Entry> had_entries(context.draft.entries.begin(),
                                         context.draft.entries.end());
    const std::vector<Tensor> had_tensors(context.draft.tensors.begin(),
                                          context.draft.tensors.end());
    for (const std::string_view slug : slugs) {
      for (int i = 0; i < 8; ++i) {
        EXPECT_FALSE(Apply(context, slug)) << slug;
      }
      EXPECT_TRUE(ChangedAmong(had_entries, context.draft.entries).empty()) << slug;
      EXPECT_TRUE(ChangedAmong(had_tensors, context.draft.tensors).empty()) << slug;
    }
  }
  // UseUp leaves no arena.
  static void UseUp(MutationContext& context) { (void)context.arena.Take(context.arena.Left()); }

  Workshop workshop{31, std::size_t{1} << 17};
  std::vector<Entry> entries;
  std::vector<Tensor> tensors;
};

}  // namespace ggufgate::mutate

// Each edit alone: it applies to some file, changes something, handles any draft, and its result
// can be repaired.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "mutate/file/attach.h"
#include "mutate/file/normalise.h"
#include "mutate/mutator.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kEditsRoom = std::size_t{1} << 18;

// EditWorkshop owns the objects of a context.
class EditWorkshop {
 public:
  // Ready parses a file into a draft, like the mutator before an edit.
  MutationContext Ready(Bytes input, Bytes from, Random& random) {
    arena.Reset();
    TakeApart(input, draft);
    AttachData(draft);
    TakeApart(from, donor);
    AttachData(donor);
    return {draft, donor, arena, placement, seen, out, random, nullptr};
  }

  Draft draft, donor;
  Arena arena{8 * kEditsRoom};
  Placement placement;
  StringSet seen{Draft::kMostEntries};
  File out = File(kEditsRoom);
};

std::vector<const Mutation*> Edits() {
  std::vector<const Mutation*> edits;
  for (const Mutation& mutation : AllMutations()) {
    if (mutation.kind == MutationKind::kEdit) edits.push_back(&mutation);
  }
  return edits;
}

class Edit : public ::testing::TestWithParam<const Mutation*> {};

INSTANTIATE_TEST_SUITE_P(All, Edit, ::testing::ValuesIn(Edits()), [](const auto& tested) {
  std::string name(tested.param->slug);
  std::ranges::replace(name, '-', '_');
  return name;
});

File Written(EditWorkshop& workshop, MutationContext& context) {
  Repair(context);
  EXPECT_TRUE(context.Write());
  (void)workshop;
  return {context.bytes().begin(), context.bytes().end()};
}

// The result is accepted for each file, and the edit changes at least one file.
TEST_P(Edit, ChangesFilesThatStayAcceptable) {
  const std::vector<File> files = CorpusFiles(4096);
  const auto workshop = std::make_unique<EditWorkshop>();
  Policy policy;
  policy.data = DataScan::kFull;
  std::uint64_t applied = 0;
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const File& donor = files[(i + 37) % files.size()];
    Random random(i);
    MutationContext plain = workshop->Ready(files[i], donor, random);
    const File before = Written(*workshop, plain);

    MutationContext context = workshop->Ready(files[i], donor, random);
    Normalise(workshop->draft, workshop->arena);
    Normalise(workshop->donor, workshop->arena);
    if (!GetParam()->apply(context)) continue;
    ++applied;
    const File after = Written(*workshop, context);
    changed += after != before;
    const testing::Judged judged = testing::Judge(after, policy);
    ASSERT_TRUE(judged.Accepted())
        << i << ": " << ::testing::PrintToString(judged.AllRules(Severity::kError));
  }
  EXPECT_GE(applied, 3U);
  EXPECT_GE(changed, 1U);
}

// No draft makes an edit crash, including the results of earlier edits.
TEST_P(Edit, BearsAnyDraft) {
  const std::vector<File> files = CorpusFiles(4096);
  const auto workshop = std::make_unique<EditWorkshop>();
  Mutator mutator(4096);
  for (std::uint64_t i = 0; i < Rounds(3000); ++i) {
    const Mutant broken = mutator.Make({.input = files[i % files.size()],
                                        .mode = i % 2 == 0 ? Mode::kSemi : Mode::kRaw,
                                        .seed = i,
                                        .max_size = 4096});
    Random random(i);
    MutationContext context = workshop->Ready(broken.bytes, files[i * 3 % files.size()], random);
    const std::size_t room = i % 4 == 0 ? workshop->arena.Left() : 0;
    if (room > 100) (void)workshop->arena.Take(room - random.Below(100));  // almost no space left
    for (int times = 0; times < 3; ++times) (void)GetParam()->apply(context);
    (void)context.WriteAsIs();
  }
}

TEST(Edits, AreSaidOnceAndByTheirFamily) {
  std::vector<std::string_view> slugs;
  for (const Mutation& mutation : AllMutations()) {
    slugs.push_back(mutation.slug);
    EXPECT_FALSE(mutation.what.empty()) << mutation.slug;
    EXPECT_EQ(FindMutation(mutation.slug), &mutation);
  }
  std::ranges::sort(slugs);
  EXPECT_TRUE(std::ranges::adjacent_find(slugs) == slugs.end());
  EXPECT_GE(Edits().size(), 80U);
}

}  // namespace
}  // namespace ggufgate::mutate

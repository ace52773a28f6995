// Every lie about the structure breaks its rules, unavoidable companions, and nothing else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mutate/generate/generate.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"
#include "tests/support/rules/rule_place.h"

namespace ggufgate::mutate {
namespace {

using Rules = std::set<std::string>;

constexpr std::size_t kStructureRoom = std::size_t{256} << 10;

// Other rules that a lie inevitably breaks; mutations/*.def has the reasons.
Rules CompanionsOf(std::string_view slug) {
  static const std::map<std::string_view, Rules> kCompanions = {
      {"header-byte-order-partial", {"tensor-count", "metadata-count"}},
      {"metadata-bool-value", {"vocabulary-size"}},
      {"metadata-alignment-uneven-huge",
       {"alignment-large", "tensor-data-bounds", "tensor-order", "tensor-offset-alignment"}},
      {"metadata-alignment-large",
       {"tensor-data-bounds", "tensor-order", "tensor-offset-alignment"}},
      {"metadata-alignment-disagrees",
       {"tensor-data-bounds", "tensor-order", "tensor-value-not-finite"}},
      {"tensor-padding-wraps", {"tensor-data-bounds"}},
      {"tensor-total-wraps", {"tensor-data-bounds", "tensor-overlap"}},
      {"tensor-total-beyond", {"tensor-data-bounds"}},
      {"layout-no-first-padding", {"tensor-value-not-finite"}},
      {"layout-offset-beyond", {"tensor-order"}},
      {"layout-offset-negative", {"tensor-order"}},
      {"layout-offset-uneven", {"tensor-order", "tensor-value-not-finite"}},
      {"layout-alias", {"tensor-order", "tensor-value-not-finite"}},
      {"layout-overlap", {"tensor-order", "tensor-value-not-finite"}},
      {"complexity-same-place", {"tensor-order"}},
  };
  const auto found = kCompanions.find(slug);
  return found == kCompanions.end() ? Rules{} : found->second;
}

// IsSeldom is true for a companion that hardly any mutant has: the false bool must be add_bos_token
// or a similar key, which then counts as true, in a vocabulary without such a token.
bool IsSeldom(std::string_view slug) { return slug == "metadata-bool-value"; }

// ShowsElsewhere is true for lies that a reader notices at another byte: the end of a cut file, the
// place after a wrong count, or offsets after a wrong size or alignment.
bool ShowsElsewhere(std::string_view slug) {
  static const std::set<std::string_view> kElsewhere = {
      "header-metadata-count-less", "header-metadata-count-more",   "header-tensor-count-more",
      "layout-claims-more",         "metadata-alignment-disagrees", "complexity-nested-deep",
      "layout-no-first-padding"};
  return slug.starts_with("layout-cut-") || kElsewhere.contains(slug);
}

bool IsOfStructure(const Mutation& mutation) {
  return mutation.family != MutationFamily::kCrossField &&
         mutation.family != MutationFamily::kText &&
         mutation.family != MutationFamily::kStructure &&
         mutation.family != MutationFamily::kExample;  // meaning_test.cc
}

// MayBreakAPair: the false dimensions may belong to half of a LoRA pair. Then the other half has
// other dimensions, or the layer is out of range.
bool MayBreakAPair(std::string_view slug) {
  return slug.starts_with("tensor-") || slug == "layout-claims-more";
}

std::vector<const Mutation*> Of(MutationKind kind) {
  std::vector<const Mutation*> some;
  for (const Mutation& mutation : AllMutations()) {
    if (IsOfStructure(mutation) && mutation.kind == kind) some.push_back(&mutation);
  }
  return some;
}

// Ready returns a repaired draft: of a corpus file, of a generated file, or of no input.
MutationContext& Ready(Workshop& workshop, const std::vector<File>& files, std::size_t i) {
  MutationContext& context =
      i % 3 == 0 ? workshop.Fresh(files[i / 3 % files.size()]) : workshop.Fresh();
  if (i % 3 == 1) Generate(context);
  Repair(context);
  return context;
}

class StructureLie : public ::testing::TestWithParam<const Mutation*> {
 protected:
  std::vector<File> files = CorpusFiles(8192);
};

TEST_P(StructureLie, BreaksWhatItNamesAndNothingElse) {
  const Mutation& lie = *GetParam();
  Workshop workshop(11, kStructureRoom);
  Rules companions = CompanionsOf(lie.slug);
  std::uint64_t told = 0;
  bool seen_elsewhere = false;
  const std::uint64_t rounds = Rounds(600);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    MutationContext& context = Ready(workshop, files, i);
    if (!lie.apply(context)) continue;
    ++told;
    ASSERT_TRUE(context.Write()) << i;
    bool named = false;
    bool at_place = !context.lie_at.has_value() || ShowsElsewhere(lie.slug);
    for (const Finding& finding : Judge(context.bytes()).list) {
      if (finding.severity < Severity::kError) continue;
      const std::string slug(RuleOf(finding.rule).slug);
      if (slug == "adapter" && MayBreakAPair(lie.slug)) continue;
      if (slug != lie.rules) {
        ASSERT_TRUE(companions.contains(slug)) << slug << " answers too, at mutant " << i;
        seen_elsewhere = true;
        continue;
      }
      named = true;
      at_place = at_place ||
                 (finding.where.begin <= *context.lie_at && *context.lie_at <= finding.where.End());
    }
    ASSERT_TRUE(named) << i;
    ASSERT_TRUE(at_place) << i << ", told at " << *context.lie_at;
  }
  EXPECT_GT(told, rounds * 7 / 10) << "it hardly ever applies";
  if (rounds < 600 || IsSeldom(lie.slug)) return;  // too few for the rare ones
  EXPECT_EQ(seen_elsewhere, !companions.empty()) << "a companion is listed that there is none of";
}

// Any draft: not repaired, in another byte order, already written, or cut by another lie.
TEST_P(StructureLie, StandsAnything) {
  Workshop workshop(12, std::size_t{16} << 10);
  Mutator mutator(std::size_t{16} << 10);
  for (std::uint64_t i = 0; i < Rounds(600); ++i) {
    const Mutant broken = mutator.Make({.input = files[i % files.size()],
                                        .mode = i % 2 == 0 ? Mode::kSemi : Mode::kRaw,
                                        .seed = i,
                                        .max_size = std::size_t{16} << 10});
    MutationContext& context = workshop.Fresh(broken.bytes);
    if (i % 3 == 0) (void)context.Write();
    if (i % 6 == 0) (void)context.Cut(context.random.Below(context.bytes().size() + 1));
    for (int times = 0; times < 3; ++times) (void)GetParam()->apply(context);
    EXPECT_LE(context.bytes().size(), context.room());
  }
}

std::string NameOf(const ::testing::TestParamInfo<const Mutation*>& lie) {
  std::string name(lie.param->slug);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, StructureLie, ::testing::ValuesIn(Of(MutationKind::kLie)), NameOf);

// If a lie cannot change a written file, it returns false and changes nothing. Otherwise it changes
// only the file, never the draft.
TEST(StructureLies, DoNotTouchTheDraftOfAWrittenFile) {
  Workshop workshop(13, kStructureRoom);
  for (const Mutation* lie : Of(MutationKind::kLie)) {
    MutationContext& context = workshop.Fresh();
    Repair(context);
    ASSERT_TRUE(context.Write());
    (void)lie->apply(context);
    EXPECT_TRUE(context.draft.entries.empty()) << lie->slug;
    EXPECT_TRUE(context.draft.tensors.empty()) << lie->slug;
  }
}

// Each rule that rejects a single file for its structure has a lie; limits only if a small file can
// reach them.
TEST(StructureLies, CoverTheRules) {
  std::set<std::string_view> told;
  for (const Mutation& mutation : AllMutations()) {
    if (mutation.kind == MutationKind::kLie) told.insert(mutation.rules);
  }
  for (const Rule& rule : AllRules()) {
    const bool structure = rule.family == Family::kContainer || rule.family == Family::kMetadata ||
                           rule.family == Family::kTensorDirectory ||
                           rule.family == Family::kDataLayout || rule.family == Family::kTensorData;
    if (!structure || rule.SeverityIn(Profile::kGate) < Severity::kError) continue;
    EXPECT_TRUE(told.contains(rule.slug)) << testing::LieFor(rule);
  }
}

class StructureBenign : public ::testing::TestWithParam<const Mutation*> {};

TEST_P(StructureBenign, IsAccepted) {
  const Mutation& benign = *GetParam();
  const std::vector<File> files = CorpusFiles(8192);
  Workshop workshop(14, kStructureRoom);
  std::uint64_t changed = 0;
  for (std::uint64_t i = 0; i < Rounds(1500); ++i) {
    MutationContext& context = Ready(workshop, files, i);
    ASSERT_TRUE(context.Write());
    const File before(context.bytes().begin(), context.bytes().end());
    if (!benign.apply(context)) continue;
    if (!std::ranges::equal(before, context.bytes())) ++changed;
    ASSERT_EQ(ErrorsIn(context.bytes()), Rules{}) << i;
  }
  EXPECT_GT(changed, 0U);
}
INSTANTIATE_TEST_SUITE_P(All, StructureBenign, ::testing::ValuesIn(Of(MutationKind::kBenign)),
                         NameOf);

}  // namespace
}  // namespace ggufgate::mutate

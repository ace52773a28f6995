// Changed models that run: checks by the gate and its contracts. tests/campaigns/consistent.py
// checks with the reference that they run.

#include "mutate/models/running_model.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "mutate/build/compose.h"
#include "mutate/generate/learned_model.h"
#include "mutate/generate/learned_vocabulary.h"
#include "mutate/mutator.h"
#include "tests/mutate/seed_files.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

using ::testing::IsEmpty;

constexpr std::size_t kMostBytes = std::size_t{4} << 20;

std::vector<std::uint8_t> SeedOf(std::string_view architecture) {
  const Contract& contract = *FindContract(architecture);
  const auto form = SimplestForm(contract, false, false);
  return Write(MakeLearned({.contract = &contract,
                            .form = form.value_or(ContractForm::kDense),
                            .vocabulary = FindVocabulary(contract.vocabulary).value()}));
}

bool IsChangedModel(const Mutant& mutant) {
  return !mutant.mutations.empty() &&
         std::ranges::all_of(mutant.mutations, [](const Mutation* mutation) {
           return mutation->kind == MutationKind::kModel;
         });
}

std::vector<std::string> Complaints(Bytes file) {
  Policy policy = PolicyFor(Profile::kLlamaCpp);
  policy.data = DataScan::kFull;
  return testing::Judge({file.begin(), file.end()}, policy).AllRules(Severity::kError);
}

TEST(RunningModel, ChangedModelsOfManyArchitecturesAreAccepted) {
  Mutator mutator(kMostBytes);
  std::set<std::string_view> applied;
  std::size_t changed = 0;
  const std::size_t step = Rounds(1000) == 1000 ? 1 : 6;
  for (std::size_t i = 0; i < AllContracts().size(); i += step) {
    const std::string_view architecture = AllContracts()[i].architecture;
    const std::vector<std::uint8_t> seed = SeedOf(architecture);
    for (std::uint64_t number = 0; number < 4; ++number) {
      const Mutant mutant =
          mutator.Make({.input = seed, .mode = Mode::kConsistent, .seed = 1000 * i + number});
      if (!IsChangedModel(mutant)) continue;
      ++changed;
      for (const Mutation* mutation : mutant.mutations) applied.insert(mutation->slug);
      EXPECT_THAT(Complaints(mutant.bytes), IsEmpty()) << architecture << " " << number;
    }
  }
  EXPECT_GE(changed, 480 / step);
  EXPECT_GE(applied.size(), 12U) << "of 16 changes";
}

bool HasCondition(const Contract& contract, std::string_view slug) {
  for (const ContractLine& line : ContractLines(contract, "condition")) {
    if (line.name == slug) return true;
  }
  return false;
}

// Numbers that a condition ties to others never change, over many tries.
TEST(RunningModel, WhatAConditionTiesIsNotChanged) {
  Mutator mutator(kMostBytes);
  std::size_t changed = 0;
  for (const char* slug :
       {"base-of-ocr", "split-heads-equal", "twenty-own-layers", "shared-layers",
        "stacks-and-cycles", "loops", "posnet-layers", "indexer-heads", "gated-feed-forward"}) {
    const auto contract = std::ranges::find_if(
        AllContracts(), [&](const Contract& one) { return HasCondition(one, slug); });
    ASSERT_NE(contract, AllContracts().end()) << slug;
    const std::vector<std::uint8_t> seed = SeedOf(contract->architecture);
    for (std::uint64_t number = 0; number < 60; ++number) {
      const Mutant mutant =
          mutator.Make({.input = seed, .mode = Mode::kConsistent, .seed = number});
      if (!IsChangedModel(mutant)) continue;
      ++changed;
      EXPECT_THAT(Complaints(mutant.bytes), IsEmpty()) << slug << " " << number;
    }
  }
  EXPECT_GE(changed, 200U);
}

TEST(RunningModel, AFileThatIsNoModelIsChangedAsAnyOther) {
  Mutator mutator(kMostBytes);
  const std::vector<std::uint8_t> seed = Write(Model::Minimal());
  for (std::uint64_t number = 0; number < 20; ++number) {
    const Mutant mutant = mutator.Make({.input = seed, .mode = Mode::kConsistent, .seed = number});
    EXPECT_FALSE(IsChangedModel(mutant)) << number;
  }
}

TEST(RunningModel, WithoutRoomForOneItIsChangedAsAnyOther) {
  Mutator mutator(kMostBytes);
  const std::vector<std::uint8_t> seed = SeedOf("llama");
  const Mutant mutant = mutator.Make({.input = seed,
                                      .mode = Mode::kConsistent,
                                      .seed = 1,
                                      .max_size = RunningModel::kLeastRoom - 1});
  EXPECT_FALSE(IsChangedModel(mutant));
  const Mutant roomy = mutator.Make({.input = seed, .mode = Mode::kConsistent, .seed = 1});
  EXPECT_TRUE(IsChangedModel(roomy));
}

TEST(Quantities, AReadingIsAProductOfWhatTheKeysSay) {
  Arena arena(4096);
  std::vector<Entry> entries;
  const auto add = [&](std::string_view key, std::uint32_t value) {
    entries.push_back(NumberEntry(arena, key, value));
  };
  add("llama.embedding_length", 64);
  add("llama.attention.head_count", 2);
  add("llama.feed_forward_length", 96);
  const Quantities quantities(entries, "llama", 300);
  EXPECT_EQ(quantities.Product("2*feed_forward_length", 0), 192U);
  EXPECT_EQ(quantities.Product("attention.head_count*key_width", 0), 64U);
  EXPECT_EQ(quantities.Product("qkv_rows", 0), 192U);
  EXPECT_EQ(quantities.Product("embedding_length/2", 0), 32U);
  EXPECT_EQ(quantities.Product("tokens", 0), 300U);
  EXPECT_EQ(quantities.Product("expert_count", 0), std::nullopt) << "which is absent";
  EXPECT_EQ(quantities.Product("embedding_length/0", 0), std::nullopt);
}

}  // namespace
}  // namespace ggufgate::mutate

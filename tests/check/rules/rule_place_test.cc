// The messages that tell the author of a new rule what to edit next.

#include "tests/support/rules/rule_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/rule.h"

namespace ggufgate::testing {
namespace {

using ::testing::HasSubstr;

TEST(RulePlace, ShowsTheLineOfALie) {
  EXPECT_THAT(LieFor(RuleOf(RuleId::kKeyLength)),
              AllOf(HasSubstr("src/mutate/examples/examples.def has no example of key-length."),
                    HasSubstr("GGUFGATE_EXAMPLE(\"key-length\", \"\", \"ewee\", Key("),
                    HasSubstr("src/mutate/mutations/metadata.def instead"),
                    HasSubstr("GGUFGATE_LIE(KeyLength, \"metadata-key-length\", kMetadata, kNone, "
                              "\"key-length\","),
                    HasSubstr("bool LieKeyLength(MutationContext& context) {")));
  // The family of the mutation is not repeated.
  EXPECT_THAT(LieFor(RuleOf(RuleId::kTensorNameLength)),
              AllOf(HasSubstr("\"eeee\", Tensor(\"name\", TensorType::kF32, {8})"),
                    HasSubstr("GGUFGATE_LIE(TensorNameLength, \"tensor-name-length\", "
                              "kTensorDirectory")));
  // An example is a lie only if its severities begin with an error.
  EXPECT_THAT(LieFor(RuleOf(RuleId::kProjector)), HasSubstr("must be \"ewwo\""));
}

TEST(RulePlace, ShowsTheLinesOfTheWitness) {
  EXPECT_THAT(WitnessLineFor(RuleOf(RuleId::kKeyLength)),
              AllOf(HasSubstr("src/witness/rules.cc lacks key-length"),
                    HasSubstr("    {\"key-length\", \"ewee\"},\n"),
                    HasSubstr("src/witness/names.cc"), HasSubstr("Say(\"key-length\", i);")));
}

TEST(RulePlace, TellsAMissingFileFromAMissingRecipe) {
  EXPECT_THAT(RecipeFor(RuleOf(RuleId::kKeyLength), /*near_miss=*/true),
              AllOf(HasSubstr("corpus/valid/key-length.near-miss.gguf is not in the manifest"),
                    HasSubstr("/make-corpus ")));
  EXPECT_THAT(RecipeFor(RuleOf(RuleId::kProjector), /*near_miss=*/false),
              HasSubstr("corpus/invalid/projector.gguf is not in the manifest"));
  // Stores have no recipes.
  for (const Rule& rule : AllRules()) {
    if (rule.family != Family::kStores) continue;
    EXPECT_THAT(RecipeFor(rule, /*near_miss=*/false),
                AllOf(HasSubstr("GGUFGATE_EXAMPLE(\""), HasSubstr("FromBase(\"")))
        << rule.slug;
  }
}

TEST(RulePlace, NamesTheVerdictOfARecipe) {
  EXPECT_EQ(VerdictWord(true, true, true), "kAccept");
  EXPECT_EQ(VerdictWord(false, false, false), "kReject");
  EXPECT_EQ(VerdictWord(false, true, false), "kOnlyLlamaCpp");
}

}  // namespace
}  // namespace ggufgate::testing

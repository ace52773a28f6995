// The base and the factor of rotary position embedding.

#include <gtest/gtest.h>

#include <limits>

#include "check/wording.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Model With(std::string_view key, float value) {
  return Model::Minimal().Set("general.architecture", "llama").Set(key, value);
}

TEST(RopeValue, ABaseIsAboveZero) {
  for (const char* key : {"llama.rope.freq_base", "llama.rope.freq_base_swa"}) {
    for (const float value : {0.0F, -0.0F, -1.0F, kInfinity, -kInfinity, kNan}) {
      const Finding finding = SoleFinding(With(key, value), RuleId::kRopeValue);
      EXPECT_EQ(WordingOf(finding), RopeValueWording::kBase);
      EXPECT_EQ(finding.subject.name, key);
      EXPECT_EQ(Severities(With(key, value), RuleId::kRopeValue), "warning warning note");
    }
    for (const float value : {1e-3F, 1.0F, 10'000.0F, 1e9F}) {
      EXPECT_THAT(RulesFired(With(key, value)), IsEmpty()) << value;
    }
  }
}

TEST(RopeValue, AFactorOfZeroIsNone) {
  const char* key = "llama.rope.scaling.factor";
  for (const float value : {-1.0F, kInfinity, kNan}) {
    EXPECT_EQ(WordingOf(SoleFinding(With(key, value), RuleId::kRopeValue)),
              RopeValueWording::kFactor);
  }
  for (const float value : {0.0F, 0.25F, 1.0F, 40.0F}) {
    EXPECT_THAT(RulesFired(With(key, value)), IsEmpty()) << value;
  }
}

TEST(RopeValue, OfAnotherArchitectureOrTypeIsNone) {
  EXPECT_THAT(RulesFired(With("qwen2.rope.freq_base", 0)), IsEmpty());
  const Model model = Model::Minimal()
                          .Set("general.architecture", "llama")
                          .Set("llama.rope.freq_base", std::uint32_t{0});
  EXPECT_THAT(RulesFired(model), ElementsAre("hyperparameter-type"));
}

}  // namespace
}  // namespace ggufgate::testing

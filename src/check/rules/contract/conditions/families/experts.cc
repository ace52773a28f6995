// Numbers of experts, and the function that selects them.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace experts {
namespace {

using namespace formula;  // the words of the formulas

bool ExpertsWithoutUsed(const P& p) { return Experts(p) > 0 && !p.Has("expert_used_count"); }

bool UsedWithoutExperts(const P& p) {
  return !p.Has("expert_count") && p.Most("expert_used_count") > 0;
}

bool UsedBeyondAll(const P& p) { return p.Most("expert_used_count") > 0x7FFF'FFFF; }

bool ExpertGroups(const P& p) {
  return p.Value("expert_count") == 0
             ? p.Value("expert_group_count") != 0
             : p.Value("expert_group_count") >= p.Value("expert_count") ||
                   (p.Value("expert_group_count") > 1 &&
                    (p.Value("expert_count") % p.Value("expert_group_count") != 0 ||
                     p.Value("expert_group_used_count") == 0 ||
                     p.Value("expert_group_used_count") >= p.Value("expert_group_count")));
}

bool UsedExpertsPerLayer(const P& p) {
  return p.Value("expert_count") > 0 && p.IsArray("expert_used_count") &&
         AnyExpertLayer(p, [&](Number i) {
           return p.At("expert_used_count", i) == 0 ||
                  p.At("expert_used_count", i) > p.At("expert_used_count", 0);
         });
}

bool UsedExpertsNone(const P& p) {
  return p.Value("expert_count") > 0 && p.IsArray("expert_used_count") &&
         AnyExpertLayer(p, [&](Number i) { return p.At("expert_used_count", i) == 0; });
}

bool GatingFunction(const P& p) {
  return p.Value("expert_count") > 0 && p.HasExperts() &&
         (p.Value("expert_gating_func") < 1 || p.Value("expert_gating_func") > 4);
}

bool GatingFunctionUnknown(const P& p) {
  return p.Value("expert_count") > 0 && p.HasExperts() && p.Value("expert_gating_func") > 4;
}

constexpr std::array kConditions = {
    Condition{"experts-without-used", RuleId::kExpertRouting, "expert_count expert_used_count",
              &ExpertsWithoutUsed, "expert_count needs expert_used_count"},
    Condition{"used-without-experts", RuleId::kExpertRouting, "expert_used_count expert_count",
              &UsedWithoutExperts, "expert_used_count needs expert_count"},
    Condition{"used-beyond-all", RuleId::kExpertRouting, "expert_used_count", &UsedBeyondAll,
              "must be less than 2^31"},
    Condition{"expert-groups", RuleId::kExpertRouting,
              "expert_group_count expert_group_used_count expert_count", &ExpertGroups,
              "expert_count must be a multiple of expert_group_count and greater, and "
              "expert_group_used_count must be 1 or more and less than expert_group_count"},
    Condition{"used-experts-per-layer", RuleId::kExpertRouting, "expert_used_count expert_count",
              &UsedExpertsPerLayer,
              "every layer with experts must use at least one, and no more than the first layer"},
    Condition{"used-experts-none", RuleId::kExpertRouting, "expert_used_count expert_count",
              &UsedExpertsNone, "every layer with experts must use at least one"},
    Condition{"expert-gating-function", RuleId::kExpertGating, "expert_gating_func expert_count",
              &GatingFunction, "expert_gating_func must be 1 to 4"},
    Condition{"expert-gating-function-unknown", RuleId::kExpertGating,
              "expert_gating_func expert_count", &GatingFunctionUnknown,
              "expert_gating_func must be 0 to 4"},
};

}  // namespace
}  // namespace experts

std::span<const Condition> ExpertsConditions() { return experts::kConditions; }

}  // namespace ggufgate

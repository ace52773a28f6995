#include "check/rule.h"

#include <algorithm>

#include "check/rules/rule_functions.h"
#include "check/wording.h"

namespace ggufgate {
namespace {

using enum Severity;
using enum Family;

#define GGUFGATE_WORDING(name, text) text,
#define GGUFGATE_RULE(name, slug, family, gate, llama_cpp, spec, diffusion, function, message, \
                      ...)                                                                     \
  constexpr auto k##name##Messages = std::to_array<std::string_view>({message});
#include "check/rules.def"
#undef GGUFGATE_RULE
#undef GGUFGATE_WORDING

// IsCounted returns whether the wordings of a block have the numbers of their names.
template <std::size_t kSize>
constexpr bool IsCounted(const std::array<std::uint8_t, kSize>& numbers) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (numbers.at(i) != i) return false;
  }
  return true;
}

#define GGUFGATE_WORDING(name, text) static_cast<std::uint8_t>(Name::k##name),
#define GGUFGATE_RULE(name, slug, family, gate, llama_cpp, spec, diffusion, function, message, \
                      ...)                                                                     \
  static_assert([] {                                                                           \
    using Name = name##Wording;                                                                \
    return IsCounted(std::to_array<std::uint8_t>({message}));                                  \
  }());
#include "check/rules.def"
#undef GGUFGATE_RULE
#undef GGUFGATE_WORDING

// By rule. Empty for rules without a weakness.
constexpr std::array kWeaknesses = [] {
  std::array<Weakness, 0
#define GGUFGATE_RULE(...) +1
#include "check/rules.def"
#undef GGUFGATE_RULE
             >
      all{};
#define GGUFGATE_RULE(...)
#define GGUFGATE_WEAKNESS(name, cwe, consequence) \
  all.at(static_cast<std::size_t>(RuleId::k##name)) = {cwe, Consequence::consequence};
#include "check/rules.def"
#undef GGUFGATE_RULE
  return all;
}();

constexpr std::array kRules = {
#define GGUFGATE_RULE(name, slug, family, gate, llama_cpp, spec, diffusion, function, message, \
                      what, why, repair, reports, loaders)                                     \
  Rule{RuleId::k##name,                                                                        \
       slug,                                                                                   \
       family,                                                                                 \
       {gate, llama_cpp, spec, diffusion},                                                     \
       function,                                                                               \
       what,                                                                                   \
       why,                                                                                    \
       repair,                                                                                 \
       k##name##Messages,                                                                      \
       reports,                                                                                \
       loaders,                                                                                \
       kWeaknesses.at(static_cast<std::size_t>(RuleId::k##name))},
#include "check/rules.def"
#undef GGUFGATE_RULE
};

static_assert(std::ranges::all_of(kRules, [](const Rule& rule) {
  return &rule == &kRules.at(static_cast<std::size_t>(rule.id));
}));

}  // namespace

std::string_view WordFor(Family family) {
  switch (family) {
    case kContainer:
      return "container";
    case kMetadata:
      return "metadata";
    case kTensorDirectory:
      return "tensor directory";
    case kDataLayout:
      return "data layout";
    case kTensorData:
      return "tensor data";
    case kHyperParameters:
      return "hyper-parameters";
    case kTokenizer:
      return "tokenizer";
    case kChatTemplate:
      return "chat template";
    case kSidecars:
      return "sidecars and shards";
    case kReaders:
      return "other readers";
    case kResources:
      return "resources";
    case kPolicy:
      return "policy";
    case kStores:
      return "model stores";
    case kRehearsal:
      return "rehearsals";
  }
  return "";
}

Severity Rule::SeverityIn(const Policy& policy) const {
  const auto chosen = std::ranges::find(policy.severities, id, &SeverityChoice::rule);
  if (chosen != policy.severities.end()) return chosen->severity;
  const Severity severity = SeverityIn(policy.profile);
  // Without named loaders, a file that llama.cpp refuses may be meant for another program.
  const bool must_run = !policy.loaders.empty() && policy.profile == Profile::kGate;
  return must_run && !IsOfOptions(id) ? std::max(severity, SeverityIn(Profile::kLlamaCpp))
                                      : severity;
}

bool IsOfOptions(RuleId rule) {
  return rule == RuleId::kContextShift || rule == RuleId::kContextUnshiftable ||
         rule == RuleId::kCacheType;
}

std::span<const Rule> AllRules() { return kRules; }

const Rule& RuleOf(RuleId id) { return kRules.at(static_cast<std::size_t>(id)); }

const Rule* FindRule(std::string_view slug) {
  const auto found = std::ranges::find(kRules, slug, &Rule::slug);
  return found != kRules.end() ? &*found : nullptr;
}

}  // namespace ggufgate

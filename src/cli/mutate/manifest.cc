#include "cli/mutate/manifest.h"

#include <nlohmann/json.hpp>

#include "mutate/naming.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using mutate::Mutant;
using mutate::Mutation;

Json RulesOf(const Mutant& mutant) {
  Json rules = Json::array();
  for (std::string_view rest = mutant.rules; !rest.empty();) {
    rules.push_back(mutate::TakeRule(rest));
  }
  return rules.size() == 1 ? rules.front() : rules;
}

}  // namespace

std::string ManifestLine(const std::string& name, const MutantPlan& plan, const Mutant& mutant) {
  Json mutations = Json::array();
  for (const Mutation* mutation : mutant.mutations) mutations.push_back(mutation->slug);
  Json line = {{"file", name},
               {"seed", plan.number},
               {"mode", WordFor(mutant.mode)},
               {"mutations", mutations},
               {"expect", WordFor(mutant.expect)}};
  if (mutant.expect == mutate::Expectation::kReject) {
    line["rule"] = RulesOf(mutant);
    if (mutant.lie_at) line["offset"] = *mutant.lie_at;
  }
  line["from"] = EscapeText(plan.seed->path);
  line["donor"] = EscapeText(plan.donor->path);
  return line.dump() + '\n';
}

}  // namespace ggufgate

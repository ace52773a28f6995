#include "cli/mutate/manifest.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/mutate/mutation_list.h"
#include "mutate/naming.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using mutate::Mutant;
using mutate::Mutation;

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
    const std::vector<std::string> rules = RulesIn(mutant.rules);
    line["rule"] = rules.size() == 1 ? Json(rules.front()) : Json(rules);
    if (mutant.lie_at) line["offset"] = *mutant.lie_at;
  }
  line["from"] = EscapeText(plan.seed->path);
  line["donor"] = EscapeText(plan.donor->path);
  return line.dump() + '\n';
}

}  // namespace ggufgate

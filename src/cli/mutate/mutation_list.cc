#include "cli/mutate/mutation_list.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "mutate/naming.h"
#include "report/table.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using mutate::Mutation;
using mutate::MutationKind;

Json RulesOf(const Mutation& mutation) {
  Json rules = Json::array();
  for (std::string_view rest = mutation.rules; !rest.empty();) {
    rules.push_back(mutate::TakeRule(rest));
  }
  return rules;
}

// Remark says what a mutation does and, of a lie, which rules answer if asked to look at the data.
std::string Remark(const Mutation& mutation) {
  if (mutation.kind != MutationKind::kLie) return std::string(mutation.what);
  std::string text = std::string(mutation.what) + " (";
  std::string_view comma;
  for (std::string_view rest = mutation.rules; !rest.empty();) {
    text.append(comma).append(mutate::TakeRule(rest));
    comma = ", ";
  }
  if (mutation.data != mutate::DataNeeded::kNone) {
    text.append("; --data ").append(WordFor(mutation.data));
  }
  return text + ")";
}

}  // namespace

void PrintMutationsText(std::ostream& out) {
  Table table({Table::Align::kLeft, Table::Align::kLeft, Table::Align::kLeft});
  for (const Mutation& mutation : mutate::AllMutations()) {
    table.Add({std::string(mutation.slug), std::string(WordFor(mutation.kind)), Remark(mutation)});
  }
  table.Print(out);
}

void PrintMutationsJson(std::ostream& out) {
  Json mutations = Json::array();
  for (const Mutation& mutation : mutate::AllMutations()) {
    mutations.push_back({{"id", mutation.slug},
                         {"family", WordFor(mutation.family)},
                         {"kind", WordFor(mutation.kind)},
                         {"data", WordFor(mutation.data)},
                         {"rules", RulesOf(mutation)},
                         {"what", mutation.what}});
  }
  out << Json({{"schema", "ggufgate.mutations/1"}, {"mutations", mutations}}).dump(2) << '\n';
}

}  // namespace ggufgate

#include "cli/mutate/mutation_list.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "mutate/naming.h"
#include "report/table.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;
using mutate::Mutation;
using mutate::MutationKind;

// Remark describes a mutation. For a lie, it also names the rules that report it, if the data are
// checked.
std::string Remark(const Mutation& mutation) {
  if (mutation.kind != MutationKind::kLie) return std::string(mutation.what);
  std::string text =
      std::string(mutation.what) + " (" + absl::StrJoin(RulesIn(mutation.rules), ", ");
  if (mutation.data != mutate::DataNeeded::kNone) {
    text.append("; --data ").append(WordFor(mutation.data));
  }
  return text + ")";
}

}  // namespace

std::vector<std::string> RulesIn(std::string_view rules) {
  std::vector<std::string> slugs;
  while (!rules.empty()) slugs.emplace_back(mutate::TakeRule(rules));
  return slugs;
}

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
                         {"rules", RulesIn(mutation.rules)},
                         {"what", mutation.what}});
  }
  out << Json({{"schema", "ggufgate.mutations/1"}, {"mutations", mutations}}).dump(2) << '\n';
}

}  // namespace ggufgate

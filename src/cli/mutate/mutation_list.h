#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// RulesIn returns the slugs of a list of rules like Mutation::rules.
[[nodiscard]] std::vector<std::string> RulesIn(std::string_view rules);

// Both print every mutation with its family and its kind. For lies, they also print the rules that
// report them. The text has one line per mutation; the JSON has schema ggufgate.mutations/1.
void PrintMutationsText(std::ostream& out);
void PrintMutationsJson(std::ostream& out);

}  // namespace ggufgate

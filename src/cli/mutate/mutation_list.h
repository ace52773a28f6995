#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// RulesIn are the slugs of a list of rules like Mutation::rules.
[[nodiscard]] std::vector<std::string> RulesIn(std::string_view rules);

// Print lists every mutation with its family, its kind and, of lies, the rules that answer: a line
// each for people, or JSON (ggufgate.mutations/1).
void PrintMutationsText(std::ostream& out);
void PrintMutationsJson(std::ostream& out);

}  // namespace ggufgate

#pragma once

// The source of a rule, for messages that tell the author of a new rule what to edit next.

#include <string>

#include "check/rule.h"

namespace ggufgate::testing {

// RuleFolder returns "metadata" for a rule whose block is in src/check/rules/metadata/rules.def, or
// "FAMILY" if no table has it.
[[nodiscard]] std::string RuleFolder(const Rule& rule);

// RuleTable returns the path of that table and the rule's name, for the beginning of a message.
[[nodiscard]] std::string RuleTable(const Rule& rule);

// RecipeFor tells what to do about a rule without a file in the corpus: the file of recipes to
// edit, and the lines to add. A near miss is the similar file that does not break the rule.
[[nodiscard]] std::string RecipeFor(const Rule& rule, bool near_miss);

}  // namespace ggufgate::testing

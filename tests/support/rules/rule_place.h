#pragma once

// Where the source of a rule is, for tests that tell who added one what to edit next.

#include <string>

#include "check/rule.h"

namespace ggufgate::testing {

// RuleFolder is "metadata" for a rule whose block is in src/check/rules/metadata/rules.def;
// "FAMILY" where no table has it.
[[nodiscard]] std::string RuleFolder(const Rule& rule);

// RuleTable is the path of that table and the rule's name, for the beginning of a message.
[[nodiscard]] std::string RuleTable(const Rule& rule);

// RecipeFor is what to do about a rule without a file in the corpus: the file of recipes to edit,
// and the lines to add to it. A near miss is the file next to it that does not break the rule.
[[nodiscard]] std::string RecipeFor(const Rule& rule, bool near_miss);

}  // namespace ggufgate::testing

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

// RecipeFor tells what to do about a rule without a file in the corpus: the line to add to
// examples.def, or the recipe if one record is not enough. If one of them exists, it tells how to
// make the file. A near miss is the similar file that does not break the rule.
[[nodiscard]] std::string RecipeFor(const Rule& rule, bool near_miss);

// VerdictWord returns the constant of corpus/recipes/recipe.h for a file that these profiles
// accept.
[[nodiscard]] std::string VerdictWord(bool gate, bool llama_cpp, bool spec);

// MakeCorpus is the command that makes the files of the corpus.
[[nodiscard]] std::string MakeCorpus();

// LieFor tells what to add if no lie breaks a rule: a line in examples.def, or one in
// src/mutate/mutations and a function.
[[nodiscard]] std::string LieFor(const Rule& rule);

// WitnessLineFor shows the line of a rule that src/witness/rules.cc lacks, WitnessCodeFor the code
// that reports a violation.
[[nodiscard]] std::string WitnessLineFor(const Rule& rule);
[[nodiscard]] std::string WitnessCodeFor(const Rule& rule);

}  // namespace ggufgate::testing

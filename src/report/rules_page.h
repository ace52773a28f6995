#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "check/rule.h"

namespace ggufgate {

// RuleExample is a file that breaks a rule and what the gate says of it.
struct RuleExample {
  std::string command;  // as typed; empty: there is no example
  std::string output;   // whole lines
};

// WriteRulesPage writes the catalogue as Markdown: a table for each family, then a section for each
// rule, with an example where `example_of` knows one. docs/rules.md is made of it.
void WriteRulesPage(std::ostream& out,
                    const std::function<RuleExample(const Rule& rule)>& example_of);

}  // namespace ggufgate

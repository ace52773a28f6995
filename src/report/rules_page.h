#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "check/rule.h"

namespace ggufgate {

// RuleExample is a command on a file that breaks a rule, and its output.
struct RuleExample {
  std::string command;  // as typed; empty: no example
  std::string output;   // whole lines
};

// WriteRulesPage writes the catalogue as Markdown: a table for each family, then a section for each
// rule, with the example of `example_of` if there is one. It generates docs/rules.md.
void WriteRulesPage(std::ostream& out,
                    const std::function<RuleExample(const Rule& rule)>& example_of);

}  // namespace ggufgate

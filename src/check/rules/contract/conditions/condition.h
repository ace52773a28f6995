#pragma once

// A condition that a model must meet: without it, llama.cpp crashes, aborts or hangs. Not for users
// of the library.

#include <string_view>

#include "check/finding.h"
#include "check/rules/contract/parameters/loader_parameters.h"

namespace ggufgate {

// Condition is a row of a table in families. The blocks of src/format/contracts name the slugs of
// those that were measured in an architecture, and the stages at which the loader fails.
struct Condition {
  std::string_view slug;
  RuleId rule;
  std::string_view keys;                    // without the architecture, separated by spaces
  bool (*broken)(const LoaderParameters&);  // called only if the loader can read all keys
  std::string_view needs;                   // the requirement, for people
};

}  // namespace ggufgate

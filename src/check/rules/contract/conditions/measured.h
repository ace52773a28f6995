#pragma once

// Measurements of the reference for each condition: the architectures that fail, and the stages.
// Not for users of the library.

#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"

namespace ggufgate {

// Measurement is one observed crash or abort of the loader by a model that breaks a rule.
struct Measurement {
  std::string needs;   // requirement: sentence of a condition, or types of a role that run
  std::string ending;  // behaviour of the loader: "aborts when it makes a context"
  std::vector<std::string_view> architectures;  // sorted by name; static storage
};

// MeasurementsOf returns the measurements of a rule, in the order of families.def. It is empty
// for a rule without contracts. It reads all contracts, so use it for commands that explain a rule,
// not for checks.
[[nodiscard]] std::vector<Measurement> MeasurementsOf(RuleId rule);

}  // namespace ggufgate

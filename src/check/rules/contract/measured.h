#pragma once

// What was measured on the reference for each condition: which architectures it ends, and where.
// Not for users of the library.

#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"

namespace ggufgate {

// Measurement is one way in which models that break a rule were seen to end the loader.
struct Measurement {
  std::string needs;   // what must hold: of a condition its sentence, of a role the types that run
  std::string ending;  // what the loader did: "aborts when it makes a context"
  std::vector<std::string_view> architectures;  // in the order of their names; static storage
};

// MeasurementsOf are those of a rule, in the order of conditions.def; empty for a rule that rests
// on no contract. Reads all contracts: for commands that tell of a rule, not for checks.
[[nodiscard]] std::vector<Measurement> MeasurementsOf(RuleId rule);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <string>

#include "cli/mutate/seeds.h"
#include "mutate/mutant.h"

namespace ggufgate {

// MutantPlan holds the inputs of a mutant.
struct MutantPlan {
  const Seed* seed;
  const Seed* donor;
  std::uint64_t number;  // seed of its random numbers
};

// ManifestLine returns the line of manifest.jsonl for a file: a JSON object. For a file that must
// be rejected, "rule" is one slug, or a list of slugs, any of which may be reported.
[[nodiscard]] std::string ManifestLine(const std::string& name, const MutantPlan& plan,
                                       const mutate::Mutant& mutant);

}  // namespace ggufgate

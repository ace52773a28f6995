#pragma once

#include <cstdint>
#include <string>

#include "cli/mutate/seeds.h"
#include "mutate/mutant.h"

namespace ggufgate {

// MutantPlan is from what a mutant is made.
struct MutantPlan {
  const Seed* seed;
  const Seed* donor;
  std::uint64_t number;  // seed of its random numbers
};

// ManifestLine is what manifest.jsonl says of a file: an object on a line. "rule", of a file that
// is to be rejected, is one slug, or a list of slugs any of which may answer.
[[nodiscard]] std::string ManifestLine(const std::string& name, const MutantPlan& plan,
                                       const mutate::Mutant& mutant);

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <string_view>

#include "bytes/bytes.h"
#include "check/finding.h"
#include "mutate/mutator.h"

namespace ggufgate::fuzz {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // of a mutant

// TheMutator is made once, for mutants of at most kMostBytes.
[[nodiscard]] mutate::Mutator& TheMutator();

// Names tells whether one of the rules, parted by '|', is among the errors.
[[nodiscard]] bool Names(const Findings& findings, std::string_view rules);

// RequireAccepted asserts that the gate, looking at every value, accepts a mutant that is said to
// be sound. What could not be made sound for want of room is passed over.
void RequireAccepted(const mutate::Mutant& mutant);

// Tell prints what was done to a mutant, for whoever reads of a violation.
void Tell(const mutate::Mutant& mutant, const Findings& findings);

}  // namespace ggufgate::fuzz

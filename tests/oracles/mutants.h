#pragma once

#include <cstddef>
#include <string_view>

#include "bytes/bytes.h"
#include "check/finding.h"
#include "mutate/mutator.h"

namespace ggufgate::fuzz {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // of a mutant

// TheMutator returns one mutator for the whole program, for mutants of at most kMostBytes.
[[nodiscard]] mutate::Mutator& TheMutator();

// Names returns whether one of the rules, separated by '|', is among the errors.
[[nodiscard]] bool Names(const Findings& findings, std::string_view rules);

// RequireAccepted asserts that the gate, checking every value, accepts a mutant that should be
// valid. It skips mutants that could not be made valid because of too little room.
void RequireAccepted(const mutate::Mutant& mutant);

// Tell prints the mutations of a mutant, for readers of a violation.
void Tell(const mutate::Mutant& mutant, const Findings& findings);

}  // namespace ggufgate::fuzz

#pragma once

#include <cstddef>
#include <string_view>

#include "bytes/bytes.h"
#include "check/finding.h"
#include "mutate/mutator.h"

namespace ggufgate::fuzz {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // of a mutant

// TheMutator returns a mutator that is made once, for mutants of at most kMostBytes.
[[nodiscard]] mutate::Mutator& TheMutator();

// Names tells whether one of the rules, separated by '|', has an error.
[[nodiscard]] bool Names(const Findings& findings, std::string_view rules);

// RequireAccepted asserts that the gate, with a check of every value, accepts a mutant that should
// be valid. It ignores mutants that lacked the space to become valid.
void RequireAccepted(const mutate::Mutant& mutant);

// Tell prints the changes of a mutant, for the reader of a violation.
void Tell(const mutate::Mutant& mutant, const Findings& findings);

}  // namespace ggufgate::fuzz

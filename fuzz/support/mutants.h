#pragma once

#include <cstdint>
#include <string_view>

#include "bytes/bytes.h"
#include "check/finding.h"
#include "mutate/mutator.h"

namespace ggufgate::fuzz {

inline constexpr std::size_t kMostBytes = std::size_t{1} << 16;  // of a mutant

// TheMutator is made once, for mutants of at most kMostBytes.
[[nodiscard]] mutate::Mutator& TheMutator();

// SeedOf is a number made of the last bytes of an input, so that an engine can choose it.
[[nodiscard]] std::uint64_t SeedOf(Bytes input);

// DrawOf is a number made of all bytes of an input. Most files end in the zeros of their padding:
// by SeedOf they would all be told the same lie.
[[nodiscard]] std::uint64_t DrawOf(Bytes input);

// Names tells whether one of the rules, parted by '|', is among the errors.
[[nodiscard]] bool Names(const Findings& findings, std::string_view rules);

// RequireAccepted asserts that the gate, looking at every value, accepts a mutant that is said to
// be sound. What could not be made sound for want of room is passed over.
void RequireAccepted(const mutate::Mutant& mutant);

// Tell prints what was done to a mutant, for whoever reads of a violation.
void Tell(const mutate::Mutant& mutant, const Findings& findings);

}  // namespace ggufgate::fuzz

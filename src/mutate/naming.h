#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/bytes.h"
#include "mutate/mutant.h"
#include "mutate/mutation.h"

namespace ggufgate::mutate {

// Names of modes, data levels and mutants on the command line, in the manifest and in the
// environment of AFL++.
[[nodiscard]] std::string_view WordFor(Mode mode);  // kMixed: "havoc"
[[nodiscard]] std::string_view WordFor(Expectation expectation);
[[nodiscard]] std::string_view WordFor(MutationKind kind);
[[nodiscard]] std::string_view WordFor(DataNeeded data);
[[nodiscard]] std::optional<Mode> FindMode(std::string_view word);  // "mixed" is "havoc" too
[[nodiscard]] std::optional<DataNeeded> FindDataNeeded(std::string_view word);

// TakeRule takes the first slug off a list of rules like Mutation::rules; empty when none is left.
[[nodiscard]] std::string_view TakeRule(std::string_view& rules);

// Describe writes "one-lie:metadata-add+header-magic", mode and mutations, in letters fit for a
// file name. Returns the length. Where `out` is too small, slugs at the end are left out whole.
std::size_t Describe(const Mutant& mutant, MutableBytes out);

// SeedOf is the seed of mutant `i` of a run with seed `run`: number 0 has the run's own, so that
// any mutant can be made again as the first of a run. Others fit the numbers of JSON (53 bits).
[[nodiscard]] std::uint64_t SeedOf(std::uint64_t run, std::uint64_t i);

}  // namespace ggufgate::mutate

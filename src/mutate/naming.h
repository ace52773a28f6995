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

// TakeRule removes the first slug from a list such as Mutation::rules, and returns it; empty at the
// end.
[[nodiscard]] std::string_view TakeRule(std::string_view& rules);

// Describe writes "one-lie:metadata-add+header-magic": mode and mutations, in characters that file
// names allow. It returns the length. If `out` is too small, it omits whole slugs at the end.
std::size_t Describe(const Mutant& mutant, MutableBytes out);

// SeedOf returns the seed of mutant `i` of a run with seed `run`. Mutant 0 has the seed of the run,
// so that any mutant can be made again as the first of a run. Other seeds fit into numbers of JSON
// (53 bits).
[[nodiscard]] std::uint64_t SeedOf(std::uint64_t run, std::uint64_t i);

}  // namespace ggufgate::mutate

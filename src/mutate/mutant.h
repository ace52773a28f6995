#pragma once

// Requests to the mutator, and the mutants that it returns.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bytes/bytes.h"
#include "mutate/memory/leaf_mutator.h"
#include "mutate/mutation.h"

namespace ggufgate::mutate {

// Mode selects the kind of mutant.
enum class Mode : std::uint8_t {
  kConsistent,  // valid: a gate accepts it
  kOneLie,      // valid except for one named lie
  kSemi,        // edited without repair, several lies
  kRaw,         // random changes of bytes, regardless of their meaning
  kGenerate,    // valid, and made from the seed alone
  kMixed,       // the schedule for fuzzing: one of the above
  kReduce,      // simpler and no larger than the input, by one of the reductions of reduce.h
};

// Expectation is the verdict of the default profile on a mutant.
enum class Expectation : std::uint8_t { kAccept, kReject, kAny };

// Request determines a mutant. The same request gives the same bytes on every machine (unless
// `leaf` is set, which belongs to the engine).
struct Request {
  Bytes input;       // any bytes; may be empty
  Bytes donor = {};  // another input to borrow records from; may be empty
  Mode mode = Mode::kMixed;
  std::uint64_t seed = 0;
  std::size_t max_size =
      SIZE_MAX;  // of the mutant, in bytes; not more than the mutator has room for
  DataNeeded data = DataNeeded::kNone;  // one-lie: only lies that this level shows
  LeafMutator leaf = nullptr;
};

// Mutant views memory of the mutator. It is valid until the mutator makes the next one.
struct Mutant {
  Bytes bytes;
  Mode mode = Mode::kMixed;  // the mode used, never kMixed
  std::span<const Mutation* const> mutations;
  Expectation expect = Expectation::kAny;
  std::string_view rules = {};  // kReject: slugs, separated by '|'; the gate must report one
  std::optional<std::uint64_t> lie_at = {};
};

}  // namespace ggufgate::mutate

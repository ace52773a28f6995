#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate::mutate {

class MutationContext;

// MutationFamily says what a mutation is about, and which file holds it.
enum class MutationFamily : std::uint8_t {
  kHeader,
  kMetadata,
  kTensorDirectory,
  kLayout,  // alignment, offsets, padding, the end of the file
  kTensorData,
  kCrossField,  // keys, tensors and vocabularies that contradict each other
  kText,
  kComplexity,
  kStructure,  // records moved, copied, borrowed, dropped
  kModel,      // tiny models that run, and still do
};
[[nodiscard]] std::string_view WordFor(MutationFamily family);

// MutationKind says what may be expected of the mutant.
enum class MutationKind : std::uint8_t {
  kEdit,    // changes the draft, which is repaired afterwards: the file is sound
  kBenign,  // changes the written file, which stays acceptable: padding, bytes behind the end
  kLie,     // breaks the rule it names
  kModel,   // changes a model in the making: the file is sound, and runs
};

// DataNeeded is how much of the tensor data a gate must look at to see a lie (--data).
enum class DataNeeded : std::uint8_t { kNone, kScales, kFull };

// Mutation is one line of mutations.def.
struct Mutation {
  std::string_view slug;
  MutationFamily family;
  MutationKind kind;
  DataNeeded data;
  // Lies: slugs of rules, separated by '|', any of which may answer. docs/mutator.md gives the
  // reason where there is more than one.
  std::string_view rules;
  std::string_view what;
  bool (*apply)(MutationContext& context);  // false: it does not apply
};

// AllMutations lists them in the order of mutations.def. An id is an index into it.
[[nodiscard]] std::span<const Mutation> AllMutations();
[[nodiscard]] const Mutation* FindMutation(std::string_view slug);

}  // namespace ggufgate::mutate

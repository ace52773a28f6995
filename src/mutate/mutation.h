#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate::mutate {

class MutationContext;

// MutationFamily is the topic of a mutation, and selects its source file.
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
  kModel,      // tiny models that run before and after the change
  kExample,    // bad records of examples.def
};
[[nodiscard]] std::string_view WordFor(MutationFamily family);

// MutationKind determines the expected verdict.
enum class MutationKind : std::uint8_t {
  kEdit,    // changes the draft, which is repaired afterwards: the file is valid
  kBenign,  // changes the written file, which stays acceptable: padding, bytes after the end
  kLie,     // breaks the rule that it names
  kModel,   // changes a model under construction: the file is valid, and runs
};

// DataNeeded is how much tensor data a gate must read to find a lie (--data).
enum class DataNeeded : std::uint8_t { kNone, kScales, kFull };

// Mutation is one line of mutations.def, or the lie of an error in examples.def.
struct Mutation {
  std::string_view slug;
  MutationFamily family;
  MutationKind kind;
  DataNeeded data;
  // For lies: slugs of rules, separated by '|'. Any of them may answer. docs/mutator.md gives the
  // reason if there are several.
  std::string_view rules;
  std::string_view what;
  bool (*apply)(MutationContext& context);  // false: it does not apply
};

// Chosen tells by its slug whether a mutator uses a mutation. nullptr: it uses all.
using Chosen = bool (*)(std::string_view slug);

// AllMutations lists the mutations in the order of mutations.def, then the examples. An id is an
// index into the list.
[[nodiscard]] std::span<const Mutation> AllMutations();
[[nodiscard]] const Mutation* FindMutation(std::string_view slug);

}  // namespace ggufgate::mutate

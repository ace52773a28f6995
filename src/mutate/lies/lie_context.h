#pragma once

// What lies about meaning need: a file that has what they lie about, and is sound otherwise.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include "format/architecture.h"
#include "format/key.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// kRoomForKeys is enough for a handful of records, none of them long.
inline constexpr std::uint64_t kRoomForKeys = 512;

// MakeRoom begins a lie that changes the draft. Returns false, and changes nothing, when the file
// has been written already or could not hold `bytes` more even without its records. Where only the
// records are in the way, all of them are dropped, which leaves the file sound.
[[nodiscard]] bool MakeRoom(MutationContext& context, std::uint64_t bytes);

// Architecture is what the file says that it is.
struct Architecture {
  std::string_view name;
  const ArchitectureInfo* info = nullptr;
};

// SomeArchitecture makes room for `bytes` and gives the architecture of the file when it is a known
// one that `suits`; otherwise another takes its place, and what would contradict it goes. Nothing
// when there is no room.
using Suits = bool (*)(const ArchitectureInfo& info);
[[nodiscard]] std::optional<Architecture> SomeArchitecture(MutationContext& context, Suits suits,
                                                           std::uint64_t bytes);
[[nodiscard]] bool SetArchitecture(MutationContext& context, std::string_view name);

// KeyFor is `{arch}.` and a name.
[[nodiscard]] std::string_view KeyFor(MutationContext& context, const Architecture& architecture,
                                      std::string_view name);

inline constexpr std::string_view kTokenizerModel = "tokenizer.ggml.model";
inline constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
inline constexpr std::string_view kCharsMap = "tokenizer.ggml.precompiled_charsmap";

// SetVocabulary makes the tokenizer one of this model with these tokens of at most 16 bytes, and
// nothing else.
[[nodiscard]] bool SetVocabulary(MutationContext& context, std::string_view model,
                                 std::span<const std::string_view> tokens);
[[nodiscard]] inline bool SetVocabulary(MutationContext& context, std::string_view model,
                                        std::initializer_list<std::string_view> tokens) {
  return SetVocabulary(context, model, std::span<const std::string_view>(tokens));
}
// SomeVocabulary gives the array of tokens, of which there is at least one; a small vocabulary is
// made where there is none. nullptr when there is no room. The view is good until the next change.
[[nodiscard]] const Entry* SomeVocabulary(MutationContext& context);

// PlainEntry is an entry whose value, or whose `count` elements, are all 1.
[[nodiscard]] Entry PlainEntry(MutationContext& context, std::string_view key, ValueType type);
[[nodiscard]] Entry PlainArray(MutationContext& context, std::string_view key, ValueType element,
                               std::uint64_t count);
// MisshapenEntry is an entry that does not have the shape. Where arrays have it, it is mostly an
// array of other elements: narrower, wider, signed, unsigned, floats, texts.
[[nodiscard]] Entry MisshapenEntry(MutationContext& context, std::string_view key, KeyShape shape,
                                   std::uint64_t count);

// Tell writes the file, in which the entry of this key lies.
enum class Part : std::uint8_t { kKey, kType, kValue, kCount };
[[nodiscard]] bool Tell(MutationContext& context, std::string_view key, Part part);
// TellEntry adds or replaces the entry, and writes the file, in which it lies.
[[nodiscard]] bool TellEntry(MutationContext& context, const Entry& entry, Part part);
// TellTensor writes the file, in which the last tensor lies.
enum class TensorPart : std::uint8_t { kName, kDimensions, kType };
[[nodiscard]] bool TellTensor(MutationContext& context, TensorPart part);

// Beyond is `least` or more, for the eight bytes at `at`: mostly a number at which the arithmetic
// of loaders turns over, at times what the engine makes of the number there.
[[nodiscard]] std::uint64_t Beyond(MutationContext& context, std::uint64_t at, std::uint64_t least);

// AddLyingTensor adds a tensor of a known type behind the others, with data that are in order; what
// a shard says of the number of tensors goes.
[[nodiscard]] bool AddLyingTensor(MutationContext& context, Tensor tensor);

}  // namespace ggufgate::mutate

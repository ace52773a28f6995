#pragma once

// Tools for lies about meaning: they need a file with their subject that is otherwise valid.

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

// kRoomForKeys is enough for a handful of short records.
inline constexpr std::uint64_t kRoomForKeys = 512;

// MakeRoom begins a lie that changes the draft. If the file is already written, or cannot hold
// `bytes` more even without its records, it returns false and changes nothing. If only the records
// take the room, it drops all of them. The file stays valid.
[[nodiscard]] bool MakeRoom(MutationContext& context, std::uint64_t bytes);

// Architecture is the architecture of the file.
struct Architecture {
  std::string_view name;
  const ArchitectureInfo* info = nullptr;
};

// SomeArchitecture makes room for `bytes`, and returns the architecture of the file if it is known
// and `suits`. Otherwise it sets another one, and drops keys that contradict it. nullopt without
// room.
using Suits = bool (*)(const ArchitectureInfo& info);
[[nodiscard]] std::optional<Architecture> SomeArchitecture(MutationContext& context, Suits suits,
                                                           std::uint64_t bytes);
[[nodiscard]] bool SetArchitecture(MutationContext& context, std::string_view name);

// KeyFor returns `{arch}.` and a name.
[[nodiscard]] std::string_view KeyFor(MutationContext& context, const Architecture& architecture,
                                      std::string_view name);

inline constexpr std::string_view kTokenizerModel = "tokenizer.ggml.model";
inline constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
inline constexpr std::string_view kCharsMap = "tokenizer.ggml.precompiled_charsmap";

// SetVocabulary replaces the tokenizer with one of this model and these tokens, of at most 16 bytes
// each.
[[nodiscard]] bool SetVocabulary(MutationContext& context, std::string_view model,
                                 std::span<const std::string_view> tokens);
[[nodiscard]] inline bool SetVocabulary(MutationContext& context, std::string_view model,
                                        std::initializer_list<std::string_view> tokens) {
  return SetVocabulary(context, model, std::span<const std::string_view>(tokens));
}
// SomeVocabulary returns the array of tokens, which has at least one. It makes a small vocabulary
// if necessary. nullptr without room. The pointer is valid until the next change.
[[nodiscard]] const Entry* SomeVocabulary(MutationContext& context);

// PlainEntry makes an entry whose value, or whose `count` elements, are all 1.
[[nodiscard]] Entry PlainEntry(MutationContext& context, std::string_view key, ValueType type);
[[nodiscard]] Entry PlainArray(MutationContext& context, std::string_view key, ValueType element,
                               std::uint64_t count);
// MisshapenEntry makes an entry with a wrong shape. For shapes of arrays, it is usually an array
// with other elements: narrower, wider, signed, unsigned, floats, texts.
[[nodiscard]] Entry MisshapenEntry(MutationContext& context, std::string_view key, KeyShape shape,
                                   std::uint64_t count);

// Tell writes the file. The lie is in the entry of this key.
enum class Part : std::uint8_t { kKey, kType, kValue, kCount };
[[nodiscard]] bool Tell(MutationContext& context, std::string_view key, Part part);
// TellEntry adds or replaces the entry with the lie, and writes the file.
[[nodiscard]] bool TellEntry(MutationContext& context, const Entry& entry, Part part);
// TellTensor writes the file. The lie is in the last tensor.
enum class TensorPart : std::uint8_t { kName, kDimensions, kType };
[[nodiscard]] bool TellTensor(MutationContext& context, TensorPart part);

// Beyond returns `least` or more, for the eight bytes at `at`. Usually it is a number at which
// loaders' arithmetic overflows, sometimes the engine's change of the current number.
[[nodiscard]] std::uint64_t Beyond(MutationContext& context, std::uint64_t at, std::uint64_t least);

// AddLyingTensor appends a tensor of a known type with valid data. It drops keys that state the
// number of tensors.
[[nodiscard]] bool AddLyingTensor(MutationContext& context, Tensor tensor);

}  // namespace ggufgate::mutate

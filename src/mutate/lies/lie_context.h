#pragma once

// What lies about meaning stand on: a file that has what they lie about, and is sound otherwise.

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/architecture.h"
#include "format/key.h"
#include "format/value_type.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// kRoomForKeys is enough for a handful of records, none of them long.
inline constexpr std::uint64_t kRoomForKeys = 512;

// MakeRoom begins a lie that changes the draft: false when the file is written already, or can
// never hold `bytes` more; nothing is changed then. Where only other records are in the way they
// all go, which leaves the file sound.
[[nodiscard]] bool MakeRoom(MutationContext& context, std::uint64_t bytes);

// Architecture is what the file says that it is.
struct Architecture {
  std::string_view name;
  const ArchitectureInfo* info = nullptr;
};

// SomeArchitecture gives that of the file when it is a known one that `suits`; otherwise another
// takes its place, and what would contradict it goes. Nothing when there is no room.
using Suits = bool (*)(const ArchitectureInfo& info);
[[nodiscard]] std::optional<Architecture> SomeArchitecture(MutationContext& context, Suits suits);
[[nodiscard]] bool SetArchitecture(MutationContext& context, std::string_view name);

// KeyFor is `{arch}.` and a name.
[[nodiscard]] std::string_view KeyFor(MutationContext& context, const Architecture& architecture,
                                      std::string_view name);

// SomeVocabulary gives the array of tokens, of which there is at least one; a small vocabulary is
// made where there is none. nullptr when there is no room. The view is good until the next change.
[[nodiscard]] const Entry* SomeVocabulary(MutationContext& context);

// PlainEntry is an entry whose value, or whose `count` elements, are all 1.
[[nodiscard]] Entry PlainEntry(MutationContext& context, std::string_view key, ValueType type);
[[nodiscard]] Entry PlainArray(MutationContext& context, std::string_view key, ValueType element,
                               std::uint64_t count);
// MisshapenEntry is an entry that has not the shape; where the shape is an array's, mostly an array
// of other elements: narrower, wider, with sign or without, floats, texts.
[[nodiscard]] Entry MisshapenEntry(MutationContext& context, std::string_view key, KeyShape shape,
                                   std::uint64_t count);

// Tell writes the file, in which the entry of this key lies.
enum class Part : std::uint8_t { kKey, kType, kValue, kCount };
[[nodiscard]] bool Tell(MutationContext& context, std::string_view key, Part part);
// TellTensor writes the file, in which the last tensor lies.
enum class TensorPart : std::uint8_t { kName, kDimensions, kType };
[[nodiscard]] bool TellTensor(MutationContext& context, TensorPart part);

// AddLyingTensor adds a tensor of a known type behind the others, with data that are in order; what
// a shard says of the number of tensors goes.
[[nodiscard]] bool AddLyingTensor(MutationContext& context, Tensor tensor);

}  // namespace ggufgate::mutate

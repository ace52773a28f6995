#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "format/value_type.h"
#include "mutate/build/entry_value.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// Records made from nothing. Their bytes are in the arena; where it is used up a value is
// empty, and nothing takes such an entry.

// TypeFor is the value type of a number.
template <Scalar T>
constexpr ValueType TypeFor() {
  if constexpr (std::same_as<T, bool>) return ValueType::kBool;
  if constexpr (std::same_as<T, float>) return ValueType::kF32;
  if constexpr (std::same_as<T, double>) return ValueType::kF64;
  constexpr bool kSigned = std::is_signed_v<T>;
  switch (sizeof(T)) {
    case 1:
      return kSigned ? ValueType::kI8 : ValueType::kU8;
    case 2:
      return kSigned ? ValueType::kI16 : ValueType::kU16;
    case 4:
      return kSigned ? ValueType::kI32 : ValueType::kU32;
    default:
      return kSigned ? ValueType::kI64 : ValueType::kU64;
  }
}

// NumberEntry, TextEntry and ArrayEntry make an entry. `next` gives element after element.
template <Scalar T>
[[nodiscard]] Entry NumberEntry(Arena& arena, std::string_view key, T value) {
  const MutableBytes bytes = arena.Take(sizeof(T));
  if (!bytes.empty()) {
    if constexpr (std::same_as<T, bool>) {
      bytes.front() = value ? 1 : 0;
    } else {
      Store(value, ByteOrder::kLittle, bytes);
    }
  }
  return {.key = key, .type = static_cast<std::uint32_t>(TypeFor<T>()), .value = bytes};
}
[[nodiscard]] Entry TextEntry(Arena& arena, std::string_view key, std::string_view text);

// PutArrayHead writes element type and count to the front of a value.
void PutArrayHead(MutableBytes value, ValueType element, std::uint64_t count);

template <Scalar T, typename Next>
[[nodiscard]] Entry ArrayEntry(Arena& arena, std::string_view key, std::uint64_t count, Next next) {
  const MutableBytes value = arena.Take(kArrayHead + count * sizeof(T));
  if (!value.empty()) {
    PutArrayHead(value, TypeFor<T>(), count);
    for (MutableBytes rest = value.subspan(kArrayHead); !rest.empty();
         rest = rest.subspan(sizeof(T))) {
      const T element = next();
      if constexpr (std::same_as<T, bool>) {
        rest.front() = element ? 1 : 0;
      } else {
        Store(element, ByteOrder::kLittle, rest);
      }
    }
  }
  return {.key = key, .type = static_cast<std::uint32_t>(ValueType::kArray), .value = value};
}

// TextArrayEntry is an array of strings of at most `longest` bytes; longer ones are cut.
template <typename Next>
[[nodiscard]] Entry TextArrayEntry(Arena& arena, std::string_view key, std::uint64_t count,
                                   std::size_t longest, Next next) {
  const MutableBytes room = arena.Take(kArrayHead + count * (kStringHead + longest));
  std::size_t used = 0;
  if (!room.empty()) {
    PutArrayHead(room, ValueType::kString, count);
    used = kArrayHead;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string_view whole = next();
      const std::string_view text = whole.substr(0, longest);
      Store<std::uint64_t>(text.size(), ByteOrder::kLittle, room.subspan(used));
      std::ranges::copy(AsBytes(text), room.subspan(used + kStringHead).begin());
      used += kStringHead + text.size();
    }
  }
  return {
      .key = key, .type = static_cast<std::uint32_t>(ValueType::kArray), .value = room.first(used)};
}

// Joined is some texts, one behind the other; empty where the arena is used up.
[[nodiscard]] std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts);

// AddEntry adds an entry whose key the draft does not have; SetEntry adds or replaces. False when
// there is no room for it.
bool AddEntry(Draft& draft, const Entry& entry);
[[nodiscard]] bool SetEntry(Draft& draft, const Entry& entry);

// DropKeys drops the entries whose keys begin so.
void DropKeys(Draft& draft, std::string_view prefix);

// AddTensor adds a tensor, with random data.
bool AddTensor(MutationContext& context, Tensor tensor);

}  // namespace ggufgate::mutate

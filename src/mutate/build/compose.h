#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "mutate/build/entry_value.h"
#include "mutate/file/writer.h"
#include "mutate/memory/arena.h"

namespace ggufgate::mutate {

// Values and entries made of known contents, little-endian and with words of 8 bytes. Their bytes
// are in the arena; where it is used up a value is empty, and no draft takes such an entry.

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

// NumberValue is the lowest `size` bytes, at most 8, of a number.
[[nodiscard]] Bytes NumberValue(Arena& arena, std::uint64_t number, std::size_t size);
[[nodiscard]] Bytes TextValue(Arena& arena, std::string_view text);
// ArrayValue is an array of `count` elements, which stand in `elements`.
[[nodiscard]] Bytes ArrayValue(Arena& arena, ValueType element, std::uint64_t count,
                               Bytes elements);
// PlainArrayValue is an array of elements that are all the same: this number, or of strings this
// text.
[[nodiscard]] Bytes PlainArrayValue(Arena& arena, ValueType element, std::uint64_t count,
                                    std::uint64_t number = 0, std::string_view text = "aaaaa");
// ArrayValueOf is an array whose elements of at most `most_bytes` each `put` puts to a writer.
template <typename Put>
[[nodiscard]] Bytes ArrayValueOf(Arena& arena, ValueType element, std::uint64_t count,
                                 std::size_t most_bytes, Put put) {
  const MutableBytes room = arena.Take(kArrayHead + count * most_bytes);
  Writer writer(room, {});
  writer.Put(IdOf(element)).Put(count);
  for (std::uint64_t i = 0; i < count && writer.fits(); ++i) put(writer);
  return room.first(writer.at());
}

// EntryOf, NumberEntry, TextEntry, ArrayEntry and TextArrayEntry make an entry. `next` gives
// element after element; strings longer than `longest` bytes are cut.
[[nodiscard]] constexpr Entry EntryOf(std::string_view key, ValueType type, Bytes value) {
  return {.key = key, .type = IdOf(type), .value = value};
}
template <Scalar T>
[[nodiscard]] Entry NumberEntry(Arena& arena, std::string_view key, T value) {
  const MutableBytes bytes = arena.Take(sizeof(T));
  Writer(bytes, {}).Put(value);
  return EntryOf(key, TypeFor<T>(), bytes);
}
[[nodiscard]] inline Entry TextEntry(Arena& arena, std::string_view key, std::string_view text) {
  return EntryOf(key, ValueType::kString, TextValue(arena, text));
}
template <Scalar T, typename Next>
[[nodiscard]] Entry ArrayEntry(Arena& arena, std::string_view key, std::uint64_t count, Next next) {
  return EntryOf(key, ValueType::kArray,
                 ArrayValueOf(arena, TypeFor<T>(), count, sizeof(T),
                              [&](Writer& writer) { writer.Put<T>(next()); }));
}
template <typename Next>
[[nodiscard]] Entry TextArrayEntry(Arena& arena, std::string_view key, std::uint64_t count,
                                   std::size_t longest, Next next) {
  return EntryOf(
      key, ValueType::kArray,
      ArrayValueOf(arena, ValueType::kString, count, kStringHead + longest, [&](Writer& writer) {
        const std::string_view text = next();
        writer.PutString(text.substr(0, longest));
      }));
}

// Joined is some texts, one behind the other; empty where the arena is used up.
[[nodiscard]] std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts);

}  // namespace ggufgate::mutate

#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "mutate/build/entry_value.h"
#include "mutate/memory/arena.h"
#include "mutate/memory/copy_bytes.h"

namespace ggufgate::mutate {

// Functions that encode values and entries: little-endian, with counts of 8 bytes. The bytes are in
// the arena. If it is full, the value is empty, and no draft accepts such an entry.

// TypeFor returns the value type of a C++ number type.
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

// NumberValue encodes the lowest `size` bytes (at most 8) of a number.
[[nodiscard]] Bytes NumberValue(Arena& arena, std::uint64_t number, std::size_t size);
[[nodiscard]] Bytes TextValue(Arena& arena, std::string_view text);
// ArrayValue encodes an array of `count` elements with the bytes `elements`.
[[nodiscard]] Bytes ArrayValue(Arena& arena, ValueType element, std::uint64_t count,
                               Bytes elements);
// PlainArrayValue encodes an array of equal elements: the number, or for strings the text.
[[nodiscard]] Bytes PlainArrayValue(Arena& arena, ValueType element, std::uint64_t count,
                                    std::uint64_t number = 0, std::string_view text = "aaaaa");
// StoreHead, StoreText and StoreLowest write the head of an array, a string, or the lowest bytes of
// a number. They write to the front of `out`, which must be large enough, and return the size. The
// mutator encodes most values with them. A Writer, which checks the space for each field, would
// cost 5% of the time of a mutant.
inline std::size_t StoreHead(ValueType element, std::uint64_t count, MutableBytes out) {
  Store(IdOf(element), ByteOrder::kLittle, out);
  Store(count, ByteOrder::kLittle, out.subspan(4));
  return kArrayHead;
}
inline std::size_t StoreText(std::string_view text, MutableBytes out) {
  Store<std::uint64_t>(text.size(), ByteOrder::kLittle, out);
  CopyBytes(AsBytes(text), out.subspan(kStringHead));
  return kStringHead + text.size();
}
inline std::size_t StoreLowest(std::uint64_t number, std::size_t size, MutableBytes out) {
  for (std::uint8_t& byte : out.first(size)) {
    byte = static_cast<std::uint8_t>(number);
    number >>= 8;
  }
  return size;
}

// ArrayValueOf encodes an array. For each element, `store` writes at most `most_bytes` to the front
// of its buffer and returns the size.
template <typename StoreNext>
[[nodiscard]] Bytes ArrayValueOf(Arena& arena, ValueType element, std::uint64_t count,
                                 std::size_t most_bytes, StoreNext store) {
  const MutableBytes room = arena.Take(kArrayHead + count * most_bytes);
  if (room.empty()) return {};
  std::size_t at = StoreHead(element, count, room);
  for (std::uint64_t i = 0; i < count; ++i) at += store(room.subspan(at));
  return room.first(at);
}

// EntryOf, NumberEntry, TextEntry, ArrayEntry and TextArrayEntry make an entry. `next` returns one
// element after another. Strings longer than `longest` bytes are cut.
[[nodiscard]] constexpr Entry EntryOf(std::string_view key, ValueType type, Bytes value) {
  return {.key = key, .type = IdOf(type), .value = value};
}
template <Scalar T>
[[nodiscard]] Entry NumberEntry(Arena& arena, std::string_view key, T value) {
  const MutableBytes bytes = arena.Take(sizeof(T));
  if (!bytes.empty()) Store(value, ByteOrder::kLittle, bytes);
  return EntryOf(key, TypeFor<T>(), bytes);
}
[[nodiscard]] inline Entry TextEntry(Arena& arena, std::string_view key, std::string_view text) {
  return EntryOf(key, ValueType::kString, TextValue(arena, text));
}
template <Scalar T, typename Next>
[[nodiscard]] Entry ArrayEntry(Arena& arena, std::string_view key, std::uint64_t count, Next next) {
  return EntryOf(key, ValueType::kArray,
                 ArrayValueOf(arena, TypeFor<T>(), count, sizeof(T), [&](MutableBytes out) {
                   Store<T>(next(), ByteOrder::kLittle, out);
                   return sizeof(T);
                 }));
}
template <typename Next>
[[nodiscard]] Entry TextArrayEntry(Arena& arena, std::string_view key, std::uint64_t count,
                                   std::size_t longest, Next next) {
  return EntryOf(
      key, ValueType::kArray,
      ArrayValueOf(arena, ValueType::kString, count, kStringHead + longest, [&](MutableBytes out) {
        const std::string_view text = next();
        return StoreText(text.substr(0, longest), out);
      }));
}

// Joined concatenates texts; empty if the arena is full.
[[nodiscard]] std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts);

}  // namespace ggufgate::mutate

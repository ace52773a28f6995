#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate {
namespace internal {

// WordAt reads a Word from a text at `at`, little-endian.
template <typename Word>
constexpr std::uint64_t WordAt(std::string_view text, std::size_t at) {
  if (!std::is_constant_evaluated()) {
    return Load<Word>(AsBytes(text.substr(at)), ByteOrder::kLittle);
  }
  std::uint64_t word = 0;
  for (std::size_t i = at + sizeof(Word); i > at; --i) {
    word = word << 8 | static_cast<unsigned char>(text[i - 1]);
  }
  return word;
}

// HashOfEnd hashes the length and the last 16 bytes, in which names differ most.
constexpr std::uint64_t HashOfEnd(std::string_view name) {
  constexpr std::size_t kLong = sizeof(std::uint64_t);
  constexpr std::size_t kShort = sizeof(std::uint32_t);
  const std::size_t size = name.size();
  std::uint64_t hash = size * 0xD6E8'FEB8'6659'FD93;
  if (size >= kLong) {
    hash ^= WordAt<std::uint64_t>(name, size - kLong);
    hash ^= WordAt<std::uint64_t>(name, size < 2 * kLong ? 0 : size - 2 * kLong) *
            0x9FB2'1C65'1E98'DF25;
  } else if (size >= kShort) {
    hash ^= WordAt<std::uint32_t>(name, 0);
    hash ^= WordAt<std::uint32_t>(name, size - kShort) << 32;
  } else if (size > 0) {
    hash ^= static_cast<unsigned char>(name.front());
    hash ^= std::uint64_t{static_cast<unsigned char>(name[size / 2])} << 8;
    hash ^= std::uint64_t{static_cast<unsigned char>(name.back())} << 16;
  }
  return hash * 0xA3AA'AC6C'1D7F'2B1D;
}

}  // namespace internal

// NameTable finds the number of a name in constant time. `kNameAt(i)` is name i of `kCount`; empty
// names are skipped. It is built at compile time and contains only numbers, so it needs no
// relocations.
template <std::string_view (*kNameAt)(std::uint16_t), std::size_t kCount>
class NameTable {
 public:
  static constexpr std::uint16_t kNone = UINT16_MAX;
  static_assert(kCount < kNone);

  consteval NameTable() {
    slots_.fill(kNone);
    for (std::uint16_t i = 0; i < kCount; ++i) {
      if (kNameAt(i).empty()) continue;
      unique_ = unique_ && Find(kNameAt(i)) == kNone;
      std::size_t at = SlotOf(kNameAt(i));
      while (slots_.at(at) != kNone) at = (at + 1) % kSlots;
      slots_.at(at) = i;
    }
  }

  // Find returns the number of a name, or kNone.
  [[nodiscard]] constexpr std::uint16_t Find(std::string_view name) const {
    // The loop ends, because some slots are empty.
    for (std::size_t at = SlotOf(name);; at = (at + 1) % kSlots) {
      const std::uint16_t index = slots_[at];
      if (index == kNone || kNameAt(index) == name) return index;
    }
  }
  // unique returns false if a name occurs twice.
  [[nodiscard]] constexpr bool unique() const { return unique_; }

 private:
  static constexpr std::size_t kSlots = std::bit_ceil(4 * kCount);
  static constexpr int kSpareBits = 64 - std::countr_zero(kSlots);  // unused bits of a hash

  static constexpr std::size_t SlotOf(std::string_view name) {
    return internal::HashOfEnd(name) >> kSpareBits;
  }

  std::array<std::uint16_t, kSlots> slots_{};
  bool unique_ = true;
};

}  // namespace ggufgate

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"

namespace ggufgate::mutate {

// HashOf is a fast hash with the same value on every machine.
[[nodiscard]] inline std::uint64_t HashOf(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9FB2'1C65'1E98'DF25;
  std::uint64_t hash = text.size() * kFactor;
  const auto mix = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 29;
  };
  const Bytes bytes = AsBytes(text);
  if (bytes.size() >= 8) {
    for (Bytes rest = bytes; rest.size() > 8; rest = rest.subspan(8)) {
      mix(Load<std::uint64_t>(rest, ByteOrder::kLittle));
    }
    mix(Load<std::uint64_t>(bytes.last(8), ByteOrder::kLittle));
    return hash;
  }
  std::uint64_t word = 0;
  for (const std::uint8_t byte : bytes) word = word << 8 | byte;
  mix(word);
  return hash;
}

// StringSet is a set of texts with a capacity that is fixed and allocated at construction.
class StringSet {
 public:
  explicit StringSet(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {}

  // Begin empties the set for up to `most` texts.
  void Begin(std::size_t most) {
    used_ = std::span(slots_).first(std::min(slots_.size(), std::bit_ceil(2 * most + 2)));
    std::ranges::fill(used_, std::string_view());
  }

  // Add returns true for a text that was not in the set.
  bool Add(std::string_view text) {
    const std::size_t mask = used_.size() - 1;
    for (std::size_t at = HashOf(text) & mask;; at = (at + 1) & mask) {
      if (used_[at].data() == nullptr) {
        used_[at] = text.empty() ? std::string_view("") : text;
        return true;
      }
      if (used_[at] == text) return false;
    }
  }

 private:
  std::vector<std::string_view> slots_;
  std::span<std::string_view> used_;
};

}  // namespace ggufgate::mutate

#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "mutate/memory/words.h"

namespace ggufgate::mutate {

// Hash is a fast hash with the same value on every machine.
class Hash {
 public:
  explicit Hash(std::size_t size) : state_(size * kFactor) {}

  void Add(std::uint64_t word) {
    state_ = (state_ ^ word) * kFactor;
    state_ ^= state_ >> 29;
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  static constexpr std::uint64_t kFactor = 0x9FB2'1C65'1E98'DF25;

  std::uint64_t state_;
};

[[nodiscard]] inline std::uint64_t HashOf(std::string_view text) {
  Hash hash(text.size());
  ForEachWord(text, [&hash](std::uint64_t word) { hash.Add(word); });
  return hash.value();
}

// StringSet is a set of texts with a fixed capacity, which the constructor allocates.
class StringSet {
 public:
  explicit StringSet(std::size_t most) : slots_(std::bit_ceil(2 * most + 2)) {}

  // Begin empties the set, for up to `most` texts.
  void Begin(std::size_t most) {
    used_ = std::span(slots_).first(std::min(slots_.size(), std::bit_ceil(2 * most + 2)));
    spare_bits_ = 64 - std::countr_zero(used_.size());
    ++round_;
  }

  // Add returns true if the text was not in the set. `hash` is its HashOf.
  bool Add(std::string_view text) { return Add(text, HashOf(text)); }
  bool Add(std::string_view text, std::uint64_t hash) {
    const std::size_t mask = used_.size() - 1;
    // Uses the highest bits. Names differ mostly in their last characters, the high bytes of a
    // word. In a product, these affect only higher bits.
    for (std::size_t at = hash >> spare_bits_;; at = (at + 1) & mask) {
      Slot& slot = used_[at];
      if (slot.round != round_) {
        slot = {.text = text, .round = round_};
        return true;
      }
      if (slot.text == text) return false;
    }
  }

 private:
  struct Slot {
    std::string_view text;
    std::uint64_t round = 0;  // an earlier round: empty
  };

  std::vector<Slot> slots_;
  std::span<Slot> used_;
  int spare_bits_ = 0;  // bits of a hash that the slot number does not use
  std::uint64_t round_ = 0;
};

}  // namespace ggufgate::mutate

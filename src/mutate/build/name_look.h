#pragma once

#include <cstdint>
#include <string_view>

#include "mutate/memory/string_set.h"
#include "mutate/memory/words.h"

namespace ggufgate::mutate {

// NameLook is what one walk over a name tells. Repair asks for every name of every mutant, and what
// costs most is that nobody foresees where a name ends.
struct NameLook {
  std::uint64_t hash = 0;  // HashOf
  bool printable = false;  // every byte is from a space to '~'
  bool holds_to = false;   // perhaps; true of every text that has "to" in it
};

[[nodiscard]] inline NameLook LookAt(std::string_view name) {
  constexpr std::uint64_t kOnes = InEachByte('\1');
  constexpr std::uint64_t kHigh = InEachByte('\x80');
  Hash hash(name.size());
  std::uint64_t odd = 0;
  std::uint64_t pairs = 0;
  std::uint64_t before = 0;
  ForEachWord(name, [&](std::uint64_t word) {
    hash.Add(word);
    // The high bit of a byte is set in one from 0x80 on; with 1 more, in 0x7F; and with 0x60 more
    // it is not set in one below a space. Nothing is carried over that does not offend already.
    odd |= word | (word + kOnes) | ~((word | kHigh) - InEachByte(' '));
    // A byte of `differs` is 0 where there is an 'o' behind a 't'. Taking 1 off sets its high bit.
    const std::uint64_t in_front = word << 8 | before >> 56;
    const std::uint64_t differs = (word ^ InEachByte('o')) | (in_front ^ InEachByte('t'));
    pairs |= (differs - kOnes) & ~differs;
    before = word;
  });
  return {.hash = hash.value(), .printable = (odd & kHigh) == 0, .holds_to = (pairs & kHigh) != 0};
}

}  // namespace ggufgate::mutate

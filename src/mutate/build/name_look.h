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
  bool may_be_prototype =
      false;  // true of every name that FindPrototypeSegment finds, and of few more
};

[[nodiscard]] [[gnu::always_inline]] inline NameLook LookAt(std::string_view name) {
  constexpr std::uint64_t kOnes = InEachByte('\1');
  constexpr std::uint64_t kHigh = InEachByte('\x80');
  Hash hash(name.size());
  std::uint64_t odd = 0;
  std::uint64_t pairs = 0;
  std::uint64_t before = 0;
  ForEachWord(name, [&](std::uint64_t word) {
    hash.Add(word);
    // The high bit of a byte is set in one from 0x80 on; with 1 more, in 0x7F; and with a space
    // less, in one below it. Nothing is carried or borrowed but by a byte that offends already.
    odd |= word | (word + kOnes) | (word - InEachByte(' '));
    // A byte of `differs` is 0 where there is an 'r' behind a 'p' or a 't', which differ in a bit,
    // as in `proto` and `constructor`. Taking 1 off sets its high bit.
    const std::uint64_t in_front = (word << 8 | before >> 56) & ~InEachByte('p' ^ 't');
    const std::uint64_t differs = (word ^ InEachByte('r')) | (in_front ^ InEachByte('p' & 't'));
    pairs |= (differs - kOnes) & ~differs;
    before = word;
  });
  return {.hash = hash.value(),
          .printable = (odd & kHigh) == 0,
          .may_be_prototype = (pairs & kHigh) != 0};
}

}  // namespace ggufgate::mutate

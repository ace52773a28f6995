#pragma once

#include <cstdint>
#include <string_view>

#include "mutate/memory/string_set.h"
#include "mutate/memory/words.h"

namespace ggufgate::mutate {

// NameLook has the results of one pass over a name. Repair needs them for every name of every
// mutant. The main cost is that the end of a name is unpredictable for the processor.
struct NameLook {
  std::uint64_t hash = 0;  // as by HashOf
  bool printable = false;  // every byte is from a space to '~'
  bool may_be_prototype =
      false;  // true for all names that FindPrototypeSegment finds, and for few others
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
    // Sets the high bit for bytes outside printable ASCII: bytes from 0x80 (unchanged), 0x7F (plus
    // 1), and below a space (minus a space). Only such bytes cause a carry or a borrow.
    odd |= word | (word + kOnes) | (word - InEachByte(' '));
    // A byte of `differs` is 0 for an 'r' after a 'p' or a 't', as in `proto` and `constructor`;
    // 'p' and 't' differ in one bit. Subtracting 1 sets its high bit.
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

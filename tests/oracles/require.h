#pragma once

#include <cstdio>
#include <cstdlib>

namespace ggufgate::fuzz {

// Require ends the process, which an engine takes for a crash, when a sentence about the gate does
// not hold. The sentence is what a person reads first.
inline void Require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "INVARIANT VIOLATED: %s\n", sentence);
  std::abort();
}

}  // namespace ggufgate::fuzz

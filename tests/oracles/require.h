#pragma once

#include <cstdio>
#include <cstdlib>

namespace ggufgate::fuzz {

// Require aborts the process if a property of the gate does not hold; an engine reports that as a
// crash. The sentence is the message.
inline void Require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "INVARIANT VIOLATED: %s\n", sentence);
  std::abort();
}

}  // namespace ggufgate::fuzz

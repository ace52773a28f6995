#pragma once

#include <cstdio>
#include <cstdlib>

namespace ggufgate::fuzz {

// Require aborts the process, which an engine treats as a crash, if a statement about the gate is
// false. The sentence is the first output.
inline void Require(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "INVARIANT VIOLATED: %s\n", sentence);
  std::abort();
}

}  // namespace ggufgate::fuzz

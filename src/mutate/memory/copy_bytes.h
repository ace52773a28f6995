#pragma once

#include <cstring>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// CopyBytes copies bytes to the front of `to`, which must be large enough and may overlap them.
// Most pieces of mutants are short: a loop with an unknown length would be slower.
inline void CopyBytes(Bytes from, MutableBytes to) {
  if (from.empty()) return;  // data() may be nullptr
  std::memmove(to.first(from.size()).data(), from.data(), from.size());
}

}  // namespace ggufgate::mutate

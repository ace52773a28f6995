#pragma once

#include <cstring>

#include "bytes/bytes.h"

namespace ggufgate::mutate {

// CopyBytes copies bytes to the front of others, which are no fewer and may overlap them. What
// mutants are made of is short: a loop that has to find out how long it may run takes longer.
inline void CopyBytes(Bytes from, MutableBytes to) {
  if (from.empty()) return;  // data() may be nullptr
  std::memmove(to.first(from.size()).data(), from.data(), from.size());
}

}  // namespace ggufgate::mutate

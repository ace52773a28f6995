#pragma once

#include "bytes/bytes.h"
#include "bytes/utf8.h"

namespace ggufgate::simd {

// IsUtf8 is ggufgate::IsUtf8 for texts that are long enough for vectors. For shorter ones it calls
// the scalar code.
[[nodiscard]] bool IsUtf8(Bytes bytes);

// AddBytes adds the zeros and has_ef of `bytes`.
void AddBytes(Bytes bytes, TextFacts& facts);

// FactsOf is ggufgate::FactsOf.
[[nodiscard]] TextFacts FactsOf(Bytes bytes);

}  // namespace ggufgate::simd

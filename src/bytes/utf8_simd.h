#pragma once

#include "bytes/bytes.h"

namespace ggufgate::simd {

// IsUtf8 is ggufgate::IsUtf8 for texts that are long enough for vectors; shorter ones it leaves to
// the scalar code, too.
[[nodiscard]] bool IsUtf8(Bytes bytes);

}  // namespace ggufgate::simd

#pragma once

// How the tensors of a file lie. Not for users of the library.

#include "check/rules/context.h"

namespace ggufgate {

// IsInForkLayout is true of a file whose tensors lie in a row with the block sizes of a fork, and
// not with those of ggml.
[[nodiscard]] bool IsInForkLayout(const Context& context);

}  // namespace ggufgate

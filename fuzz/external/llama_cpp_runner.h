#pragma once

// The loader `run`: libllama itself, through all that a program does with a model. tests/oracles
// does the work.

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// LlamaCppRunner says, when it is asked to prepare, why it is not there where it is not: it is
// built with the headers of the release.
[[nodiscard]] Loader LlamaCppRunner();

}  // namespace ggufgate::external

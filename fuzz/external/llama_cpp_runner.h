#pragma once

// The loader `run`: libllama with all operations that a program performs on a model. tests/oracles
// does the work.

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// LlamaCppRunner returns this loader. Its `prepare` returns a reason if the loader is missing,
// because it is built with the headers of the release.
[[nodiscard]] Loader LlamaCppRunner();

}  // namespace ggufgate::external

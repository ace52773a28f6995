#pragma once

// The loader `--loader PATH`: any build of libllama.so, in the sandbox of `ggufgate rehearse`. It
// needs no headers of that build. docs/rehearse.md lists the stages that it runs.

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// RehearsingLoader returns this loader. A program that was built without rehearsals reports that.
[[nodiscard]] Loader RehearsingLoader();

}  // namespace ggufgate::external

#pragma once

#include <string_view>

namespace ggufgate {

// LimitVectorsTo limits the kernels to this instruction set and lesser ones, as on an older
// processor. The name is Highway's, in lower case: "avx2". It returns false, without effect, if
// this build or this processor lacks the set. For benchmarks.
[[nodiscard]] bool LimitVectorsTo(std::string_view name);

}  // namespace ggufgate

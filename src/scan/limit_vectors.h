#pragma once

#include <string_view>

namespace ggufgate {

// LimitVectorsTo makes kernels of this instruction set and of lesser ones be used from now on, as
// on a processor that has nothing better. The name is Highway's, in lower case: "avx2". False when
// this build or this processor does not have it; then nothing changes. For benchmarks.
[[nodiscard]] bool LimitVectorsTo(std::string_view name);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// AnswerOfConfined runs `work` in a child that cannot open anything, and returns the bytes of its
// answer. They are at most kMostReportBytes, and the caller must not trust them. `work` gets its
// input from the memory of this process. It returns an error if the child could not be confined,
// was killed or failed. It must be called while the process has one thread. Builds without
// confinement run `work` in this process.
[[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> AnswerOfConfined(
    const std::function<std::vector<std::uint8_t>()>& work);

}  // namespace ggufgate

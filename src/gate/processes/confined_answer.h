#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// AnswerOfConfined runs `work` in a child that can open nothing, and gives the bytes that it
// answers with: at most kMostReportBytes of them, and nobody is to believe them. What `work` needs
// to know it has from this process's memory. An error when the child could not be confined or did
// not end by itself. Must be called while the process has one thread. Builds without confinement
// run `work` in this process.
[[nodiscard]] absl::StatusOr<std::vector<std::uint8_t>> AnswerOfConfined(
    const std::function<std::vector<std::uint8_t>()>& work);

}  // namespace ggufgate

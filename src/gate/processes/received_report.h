#pragma once

// Handling of the frames from the checking processes. The process that handles them trusts none of
// them.

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "check/policy.h"
#include "gate/file_report.h"
#include "gate/processes/report_frames.h"

namespace ggufgate {

// UndecidedFile returns the report of a file that could not be checked.
[[nodiscard]] FileReport UndecidedFile(const std::string& path, absl::Status why);

// ReceiveReport returns the report in a kReport or kLoss frame. If the frame is invalid, the report
// says so.
[[nodiscard]] FileReport ReceiveReport(const std::string& path, const Frame& frame,
                                       const Policy& policy);

// WithOpinion returns the report. An accepted file becomes undecided if `frame` is missing or
// invalid, or if its opinion contradicts the report.
[[nodiscard]] FileReport WithOpinion(FileReport report, const std::optional<Frame>& frame,
                                     const Policy& policy);

}  // namespace ggufgate

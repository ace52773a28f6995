#pragma once

// What becomes of the frames that judges send, in the process that believes none of them.

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "check/policy.h"
#include "gate/file_report.h"
#include "gate/processes/report_frames.h"

namespace ggufgate {

// UndecidedFile is the report of a file that could not be judged.
[[nodiscard]] FileReport UndecidedFile(const std::string& path, absl::Status why);

// TakeReport is the report of a file that a kReport or kLoss brings, or says that none came.
[[nodiscard]] FileReport TakeReport(const std::string& path, const Frame& frame,
                                    const Policy& policy);

// WithOpinion accepts only what the second reading, which `frame` brings, accepts as well.
[[nodiscard]] FileReport WithOpinion(FileReport report, const std::optional<Frame>& frame,
                                     const Policy& policy);

}  // namespace ggufgate

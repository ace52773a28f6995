#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "api/c/options.h"
#include "bytes/byte_source.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/input.h"

namespace ggufgate::api {

// UndecidedReport returns the report of a file that could not be checked.
[[nodiscard]] FileReport UndecidedReport(const Wanted& wanted, absl::Status why);

// JudgeTogether calls `judge` with the requested number of threads.
[[nodiscard]] FileReport JudgeTogether(
    const Wanted& wanted, const std::function<FileReport(const JudgeOptions& options)>& judge);
[[nodiscard]] FileReport JudgeTogether(const ByteSource& source, const Wanted& wanted);

// JudgeOpened checks the bytes that `source` reads from an input. The file is undecided if it has
// changed.
[[nodiscard]] FileReport JudgeOpened(const Input& input, const ByteSource& source,
                                     const Wanted& wanted);

// JudgeConfined checks in child processes, like the command.
[[nodiscard]] FileReport JudgeConfined(const std::string& path, const Wanted& wanted);

}  // namespace ggufgate::api

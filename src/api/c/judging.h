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

// UndecidedReport is of a file that could not be judged.
[[nodiscard]] FileReport UndecidedReport(const Wanted& wanted, absl::Status why);

// JudgeTogether judges by `judge`, with as many threads as are wanted.
[[nodiscard]] FileReport JudgeTogether(
    const Wanted& wanted, const std::function<FileReport(const JudgeOptions& options)>& judge);
[[nodiscard]] FileReport JudgeTogether(const ByteSource& source, const Wanted& wanted);

// JudgeOpened judges what is read through `source` of an input: undecided when the file has
// changed.
[[nodiscard]] FileReport JudgeOpened(const Input& input, const ByteSource& source,
                                     const Wanted& wanted);

// JudgeConfined judges in child processes, as the command does.
[[nodiscard]] FileReport JudgeConfined(const std::string& path, const Wanted& wanted);

}  // namespace ggufgate::api

#pragma once

#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/input.h"

namespace ggufgate {

// JudgePath checks a regular file, or standard input if `path` is "-".
[[nodiscard]] FileReport JudgePath(const std::string& path, const JudgeOptions& options);

// JudgeBlob checks a regular file that no rule covers. It records the size, and the SHA-256 if
// requested. It accepts any contents.
[[nodiscard]] FileReport JudgeBlob(const std::string& path, const JudgeOptions& options);

// JudgeDescriptor checks an open descriptor: a regular file that has not been partly read, or the
// contents of a pipe. The descriptor stays open.
[[nodiscard]] FileReport JudgeDescriptor(int descriptor, const std::string& path,
                                         const JudgeOptions& options);

// JudgeInput checks a file that is already open. `path` is its name in the report.
[[nodiscard]] FileReport JudgeInput(const Input& input, const std::string& path,
                                    const JudgeOptions& options);

}  // namespace ggufgate

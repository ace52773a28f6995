#pragma once

#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/input.h"

namespace ggufgate {

// JudgePath judges a regular file, or standard input when `path` is "-".
[[nodiscard]] FileReport JudgePath(const std::string& path, const JudgeOptions& options);

// JudgeBlob looks at a regular file of which no rule speaks: its size, and its SHA-256 where it is
// asked for. Whatever it holds is accepted.
[[nodiscard]] FileReport JudgeBlob(const std::string& path, const JudgeOptions& options);

// JudgeDescriptor judges what an open descriptor gives: a regular file that nobody has read a part
// of, or what a pipe delivers. It stays open.
[[nodiscard]] FileReport JudgeDescriptor(int descriptor, const std::string& path,
                                         const JudgeOptions& options);

// JudgeInput judges a file that is open already; `path` is what the report calls it.
[[nodiscard]] FileReport JudgeInput(const Input& input, const std::string& path,
                                    const JudgeOptions& options);

}  // namespace ggufgate

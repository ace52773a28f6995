#pragma once

#include <string>

#include "bytes/byte_source.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"

namespace ggufgate {

// JudgeSource checks a source of bytes that can be read twice. The report has no identity. `path`
// is its name in the report.
[[nodiscard]] FileReport JudgeSource(const ByteSource& source, const std::string& path,
                                     const JudgeOptions& options);

}  // namespace ggufgate

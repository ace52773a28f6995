#pragma once

#include <string>

#include "bytes/byte_source.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"

namespace ggufgate {

// JudgeSource judges any source of bytes that can be read twice; there is no identity to pin.
// `path` is what the report calls it.
[[nodiscard]] FileReport JudgeSource(const ByteSource& source, const std::string& path,
                                     const JudgeOptions& options);

}  // namespace ggufgate

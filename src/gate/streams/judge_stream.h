#pragma once

#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/stream_source.h"

namespace ggufgate {

// JudgeStream checks the contents of a pipe as they pass. It keeps only the metadata and a few
// chunks of the rest, so memory does not grow with the file. `path` is its name in the report. The
// descriptor stays open.
//
// Do not use it for a policy with suppressions for one SHA-256, because the digest is known only at
// the end.
//
// Verdict and findings are those of a file with the same bytes, with two exceptions. If the stream
// ends in a tensor, the part of it that came is checked, too. If the last bytes look like those of
// a zip archive whose directory is among the weights, the file is kUndecided.
[[nodiscard]] FileReport JudgeStream(int descriptor, const std::string& path,
                                     const JudgeOptions& options);
// JudgeStream for another source of bytes.
[[nodiscard]] FileReport JudgeStream(const StreamSource::ReadSome& read, const std::string& path,
                                     const JudgeOptions& options);

}  // namespace ggufgate

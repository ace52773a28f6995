#pragma once

#include <string>

#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/reading/stream_source.h"

namespace ggufgate {

// JudgeStream judges what a pipe delivers, while it passes: the metadata are held and of the rest a
// few chunks, so memory does not grow with the file. `path` is what the report calls it. The
// descriptor stays open.
//
// Not for a policy with suppressions that are for one SHA-256: whether one of them counts is known
// only when all has passed.
//
// The verdict and the findings are those on the same bytes in a file, but for two: of a tensor that
// the end of the stream cuts off, what came of it is judged, too; and a file whose last bytes look
// like those of a zip archive, with its directory among the weights, is kUndecided.
[[nodiscard]] FileReport JudgeStream(int descriptor, const std::string& path,
                                     const JudgeOptions& options);
// The same of what comes in another way.
[[nodiscard]] FileReport JudgeStream(const StreamSource::ReadSome& read, const std::string& path,
                                     const JudgeOptions& options);

}  // namespace ggufgate

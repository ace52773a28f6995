#pragma once

#include <string>

#include "gate/file_verdict.h"

namespace ggufgate {

// FileLine is what a person wants to read of a file that was judged: "llama 1.2B, Q4_K mostly, 147
// tensors, 807 MB, header only". The end says how much of the data was judged: an ok that covers
// the header alone, or one of several shards, must not pass for more. Text of the file is escaped.
[[nodiscard]] std::string FileLine(const FileVerdict& file);

}  // namespace ggufgate

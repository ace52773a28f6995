#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// ReadFileList reads the paths in a file, "-" for standard input: one a line, or each ended by a
// NUL where `by_nul` is set (find -print0). Empty ones are passed over. What a name may hold is
// kept byte for byte. A file of the name "-" is given as "./-": standard input is in no list.
//
// An error when the list cannot be read, is larger than 64 MiB or holds more than 1,000,000 paths;
// and when a line holds a NUL.
[[nodiscard]] absl::StatusOr<std::vector<std::string>> ReadFileList(const std::string& path,
                                                                    bool by_nul);

}  // namespace ggufgate

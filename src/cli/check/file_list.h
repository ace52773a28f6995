#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// ReadFileList reads the paths in a file, "-" for standard input: one a line, or each ended by a
// NUL where `by_nul` is set (find -print0). Empty ones are passed over. What a name may hold is
// kept byte for byte.
//
// An error when the list cannot be read, is larger than 64 MiB or holds more than 1,000,000 paths;
// when a line holds a NUL; and when "-" is in a list that came through standard input.
[[nodiscard]] absl::StatusOr<std::vector<std::string>> ReadFileList(const std::string& path,
                                                                    bool by_nul);

}  // namespace ggufgate

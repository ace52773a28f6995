#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// ReadFileList reads the paths in a file, "-" for standard input. There is one path per line, or
// with `by_nul` a NUL after each (find -print0). It ignores empty paths and keeps all bytes of a
// path. A file named "-" is returned as "./-", because a list cannot contain standard input.
//
// It returns an error if the list cannot be read, is larger than 64 MiB, has more than 1,000,000
// paths, or has a NUL in a line.
[[nodiscard]] absl::StatusOr<std::vector<std::string>> ReadFileList(const std::string& path,
                                                                    bool by_nul);

}  // namespace ggufgate

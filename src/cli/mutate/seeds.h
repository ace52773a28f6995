#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command_line.h"

namespace ggufgate {

// Seed is an input of mutants. It may have any contents.
struct Seed {
  std::string path;
  std::vector<std::uint8_t> bytes;
};

inline constexpr std::uint64_t kLargestSeed = std::uint64_t{16} << 20;  // bytes
// Bytes of all seeds together.
inline constexpr std::uint64_t kMostOfSeeds = std::uint64_t{1} << 30;

// ReadSeeds reads files, folders (searched like `check` does) and "-" into memory, without checking
// their contents. A file that is too large is an error if it was named, and is skipped with a
// message if it was found in a folder. It returns false, with a message on the error stream, if a
// seed cannot be read.
[[nodiscard]] bool ReadSeeds(const std::vector<std::string>& paths, std::vector<Seed>& seeds,
                             const Streams& streams);

}  // namespace ggufgate

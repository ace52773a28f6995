#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/command_line.h"

namespace ggufgate {

// Seed is a file to make mutants from, whatever is in it.
struct Seed {
  std::string path;
  std::vector<std::uint8_t> bytes;
};

inline constexpr std::uint64_t kLargestSeed = std::uint64_t{16} << 20;  // bytes
inline constexpr std::uint64_t kMostOfSeeds = std::uint64_t{1} << 30;   // bytes, of all together

// ReadSeeds reads files, folders (searched as `check` does) and "-", into memory and without a look
// at what they hold. A file that is too large is an error when it was named, and left out with a
// word when it was found in a folder. False, with the reason on the error stream, when a seed
// cannot be had.
[[nodiscard]] bool ReadSeeds(const std::vector<std::string>& paths, std::vector<Seed>& seeds,
                             const Streams& streams);

}  // namespace ggufgate

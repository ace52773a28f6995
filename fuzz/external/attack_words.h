#pragma once

// The command line of an attack on a loader: docs/attach.md.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "fuzz/external/attack.h"

namespace ggufgate::external {

inline constexpr std::size_t kLargestSeed = std::size_t{16} << 20;  // bytes

// Wish holds the words of the command line, not yet parsed.
struct Wish {
  std::uint64_t count = 10'000;
  std::uint64_t seed = 1;
  std::uint64_t seconds = 0;        // 0: until all are done
  std::uint64_t patience = 10;      // seconds per file
  std::uint64_t memory = 1024;      // MiB per file
  std::uint64_t max_size = 65'536;  // bytes of a mutant
  std::string mode = "mixed";
  std::string profile = "gate";
  std::string data = "none";
  std::string loader;
  std::string json;
  std::string out;
  bool must_load = false;
  bool alone = false;
  bool help = false;
  std::vector<std::string> seeds;
};

void PrintUsage(std::FILE* to, std::span<const Loader> loaders, const char* program);

// Understand parses the command line into `wish`, and returns the error, or "".
[[nodiscard]] std::string Understand(const std::vector<std::string>& words, Wish& wish);

}  // namespace ggufgate::external

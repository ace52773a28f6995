#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "rehearse/driver/speaker.h"

namespace ggufgate::driver {

// CommandToRun is a loader that is a program.
struct CommandToRun {
  std::string program;           // its absolute path
  std::span<char* const> words;  // its name and arguments
  std::uint64_t front_bytes = 0;
  bool repacks = false;
  std::uint64_t cpu_seconds = 0;
};

// RunCommand confines this process and becomes the program. The program gets the preloaded library
// and the environment of this process.
[[noreturn]] void RunCommand(const CommandToRun& command, Speaker& speaker);

}  // namespace ggufgate::driver

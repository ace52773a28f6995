#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/usage/command.h"

namespace ggufgate {

// Exit codes, the same for every command. Anything but 0 means: do not load.
inline constexpr int kExitAccept = 0;
inline constexpr int kExitReject = 1;
inline constexpr int kExitUndecided = 2;  // I/O, resources, wrong usage

// Streams are where a command writes, and what the terminal can show.
struct Streams {
  std::ostream& out;
  std::ostream& error;
  bool colour = false;            // on `out`
  bool error_colour = false;      // on `error`, where a report goes there
  bool progress = false;          // `error` is a terminal that can wipe out a line
  std::size_t columns = 0;        // of `out`; 0: it is no terminal, and nothing is wrapped
  std::size_t error_columns = 0;  // of `error`
};

// RunCommandLine runs one command; `arguments` are without the program's name. Never throws.
[[nodiscard]] int RunCommandLine(const std::vector<std::string>& arguments, const Streams& streams);

// Guarded runs `work` and sees that what it wrote arrived: running out of memory and a report that
// cannot be written are kExitUndecided, with a message.
[[nodiscard]] int Guarded(const std::function<int()>& work, const Streams& streams);

// GuardedAndConfined does the same in a child that can read `files` and nothing else.
[[nodiscard]] int GuardedAndConfined(const std::vector<std::string>& files,
                                     const std::function<int()>& work, const Streams& streams);

// Each declares a subcommand on `app`. When it is chosen, `run` is set to what it does, which gives
// the exit code.
using ChosenCommand = std::function<int()>;
#define GGUFGATE_SUBCOMMAND(name) \
  void Add##name##Command(Command app, const Streams& streams, ChosenCommand& run);
#include "cli/commands.def"
#undef GGUFGATE_SUBCOMMAND

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/usage/command.h"

namespace ggufgate {

// Exit codes of every command. Any value except 0 means: do not load the file.
inline constexpr int kExitAccept = 0;
inline constexpr int kExitReject = 1;
inline constexpr int kExitUndecided = 2;  // I/O, resources, wrong usage

// Streams are the outputs of a command, with the properties of the terminal.
struct Streams {
  std::ostream& out;
  std::ostream& error;
  bool colour = false;            // on `out`
  bool error_colour = false;      // on `error`, if the report goes there
  bool progress = false;          // `error` is a terminal that can erase a line
  std::size_t columns = 0;        // of `out`; 0: not a terminal, no wrapping
  std::size_t error_columns = 0;  // of `error`
};

// RunCommandLine runs one command. `arguments` exclude the program's name. It never throws.
[[nodiscard]] int RunCommandLine(const std::vector<std::string>& arguments, const Streams& streams);

// Guarded runs `work` and makes sure that its output was written. If memory runs out or the report
// cannot be written, it prints a message and returns kExitUndecided.
[[nodiscard]] int Guarded(const std::function<int()>& work, const Streams& streams);

// GuardedAndConfined does the same in a child that can only read `files`.
[[nodiscard]] int GuardedAndConfined(const std::vector<std::string>& files,
                                     const std::function<int()>& work, const Streams& streams);

// Each function declares a subcommand on `app`. If the command line chooses it, parsing sets `run`
// to a function that runs it and returns the exit code.
using ChosenCommand = std::function<int()>;
#define GGUFGATE_SUBCOMMAND(name) \
  void Add##name##Command(Command app, const Streams& streams, ChosenCommand& run);
#include "cli/commands.def"
#undef GGUFGATE_SUBCOMMAND

}  // namespace ggufgate

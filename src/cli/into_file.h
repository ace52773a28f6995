#pragma once

// Commands that write their result to a file. The file appears complete or not at all.

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cli/command_line.h"
#include "cli/output_file.h"

namespace ggufgate {

// ComplainOfOutput prints to the error stream why a file or folder cannot be written, and returns
// kExitUndecided.
[[nodiscard]] int ComplainOfOutput(std::string_view path, const absl::Status& status,
                                   const Streams& streams);

// IntoFile writes the output of `write` to the file `path`, or to standard output ("-"), and
// returns the exit code.
[[nodiscard]] int IntoFile(const std::string& path, const std::function<void(std::ostream&)>& write,
                           const Streams& streams);

// ConfinedWithOutput runs `work` confined. `input` is the only file that it can read (see
// GuardedAndConfined). `work` gets the file for `output`, or nullptr if `output` is empty. The file
// appears if the exit code is kExitAccept.
[[nodiscard]] int ConfinedWithOutput(const std::string& input, const std::string& output,
                                     const std::function<int(OutputFile*)>& work,
                                     const Streams& streams);

// Confiner runs `work` confined, with output to the descriptor `output`, and returns its exit code.
// If that fails, it prints a message and returns kExitUndecided.
using Confiner = std::function<int(const std::function<int()>& work, int output)>;

// ConfinedIntoFile does the same as `confined`, but writes to the file `path` instead of standard
// output. The file appears if `work` has written its whole report, for any exit code. The file does
// not appear, and the function returns kExitUndecided, if `work` returns nullopt after a message,
// if the child crashes, or if the report cannot be written.
[[nodiscard]] int ConfinedIntoFile(const std::string& path, const std::vector<std::string>& files,
                                   const Confiner& confined,
                                   const std::function<std::optional<int>(const Streams&)>& work,
                                   const Streams& streams);

}  // namespace ggufgate

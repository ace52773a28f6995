#pragma once

// Commands whose result is a file, which appears whole or not at all.

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

// ComplainOfOutput says on the error stream that a file or folder cannot be written and why, and
// gives kExitUndecided.
[[nodiscard]] int ComplainOfOutput(std::string_view path, const absl::Status& status,
                                   const Streams& streams);

// IntoFile makes the file `path` of what `write` writes, or writes it to standard output ("-"), and
// gives the exit code.
[[nodiscard]] int IntoFile(const std::string& path, const std::function<void(std::ostream&)>& write,
                           const Streams& streams);

// ConfinedWithOutput runs `work` confined, with `input` for the only file that can be read (see
// GuardedAndConfined), and with a file for `output`, nullptr where that is empty. The file appears
// when the exit code is kExitAccept.
[[nodiscard]] int ConfinedWithOutput(const std::string& input, const std::string& output,
                                     const std::function<int(OutputFile*)>& work,
                                     const Streams& streams);

// Confiner runs `work` confined, writing to the descriptor `output`, and returns the exit code;
// kExitUndecided, and a message, when that does not end well.
using Confiner = std::function<int(const std::function<int()>& work, int output)>;

// ConfinedIntoFile does what `confined` does, with the file `path` for standard output.
// The file appears when `work` has reported all it had to, whatever its exit code. It does not when
// `work` gives no exit code, having said why, when the child dies or when the report cannot be
// written: that is kExitUndecided.
[[nodiscard]] int ConfinedIntoFile(const std::string& path, const std::vector<std::string>& files,
                                   const Confiner& confined,
                                   const std::function<std::optional<int>(const Streams&)>& work,
                                   const Streams& streams);

}  // namespace ggufgate

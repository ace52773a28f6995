#pragma once

// Commands that read what is in a file judge it first.

#include <optional>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

// RefusedFor gives the exit code when the file is not to be read, and says why: `not_done` is what
// was not done with it ("the tensor was not decoded"). Either byte order will do: we can read both.
// With `despite_findings` errors that leave no doubt about where the data lie are only told of.
[[nodiscard]] std::optional<int> RefusedFor(const Input& input, const std::string& path,
                                            bool despite_findings, std::string_view not_done,
                                            const Streams& streams);

// JudgedFile is a file that is fit to be read.
struct JudgedFile {
  Input input;
  ReadDocument read;
};

// OpenJudged opens, judges and reads a file, or standard input ("-"). Where that is not to be read,
// it says why on the error stream, sets `code` and returns nullopt.
[[nodiscard]] std::optional<JudgedFile> OpenJudged(const std::string& path, bool despite_findings,
                                                   std::string_view not_done,
                                                   const Streams& streams, int& code);

// AddDespiteFindings declares --despite-findings. `verb` names the action that the command then
// performs in spite of findings ("Hash"). `despite_findings` outlives the parsing.
void AddDespiteFindings(Command command, bool& despite_findings, std::string_view verb);

// ComplainOf says what is wrong with a subject, on the error stream, and gives kExitUndecided.
[[nodiscard]] int ComplainOf(std::string_view subject, const absl::Status& status,
                             const Streams& streams);

}  // namespace ggufgate

#pragma once

// For commands that read a file: they check it first.

#include <optional>
#include <string>
#include <string_view>

#include "cli/command_line.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

// RefusedFor returns an exit code if the file must not be read, and prints the reason. `not_done`
// names the missing action ("the tensor was not decoded"). Both byte orders are accepted. With
// `despite_findings`, errors are only reported, unless they make the ranges of the data uncertain.
[[nodiscard]] std::optional<int> RefusedFor(const Input& input, const std::string& path,
                                            bool despite_findings, std::string_view not_done,
                                            const Streams& streams);

// JudgedFile is a file that may be read.
struct JudgedFile {
  Input input;
  ReadDocument read;
};

// OpenJudged opens, checks and reads a file, or standard input ("-"). If the file must not be read,
// it prints the reason to the error stream, sets `code` and returns nullopt.
[[nodiscard]] std::optional<JudgedFile> OpenJudged(const std::string& path, bool despite_findings,
                                                   std::string_view not_done,
                                                   const Streams& streams, int& code);

// AddDespiteFindings declares --despite-findings. `verb` names the action that the command then
// performs despite findings ("Hash"). `despite_findings` must outlive the parsing.
void AddDespiteFindings(Command command, bool& despite_findings, std::string_view verb);

// ComplainOf prints the error of a subject to the error stream, and returns kExitUndecided.
[[nodiscard]] int ComplainOf(std::string_view subject, const absl::Status& status,
                             const Streams& streams);

}  // namespace ggufgate

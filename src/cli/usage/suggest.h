#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace CLI {
class ParseError;
}

namespace ggufgate {

// DidYouMean is "; did you mean …?" with the word most like the one asked for, escaped; empty when
// none is like it.
[[nodiscard]] std::string DidYouMean(std::string_view asked,
                                     const std::vector<std::string_view>& words);

// IsFolder tells whether a path, "-" for standard input, is that of a folder. NotOneFile says that
// a command takes one file.
[[nodiscard]] bool IsFolder(const std::string& path);
[[nodiscard]] int NotOneFile(std::string_view command, const std::string& path,
                             const Streams& streams);

// FindCommand follows the words from `app` down, "policy print" for one. nullptr, and a message
// with the nearest, when there is no such command.
[[nodiscard]] const CLI::App* FindCommand(const CLI::App& app,
                                          const std::vector<std::string>& words,
                                          const Streams& streams);

// WrongUsage tells what was wrong with a command on the error stream. What was not understood is
// told first, with the command or option that was probably meant.
[[nodiscard]] int WrongUsage(const CLI::App& app, const CLI::ParseError& error,
                             const Streams& streams);

// SaidWhatIsWrongWithRun says which word of `ggufgate run` is missing or surplus, after CLI11 has
// read `arguments`; false if all is well. CLI11 does not separate words by the -- between them.
[[nodiscard]] bool SaidWhatIsWrongWithRun(const CLI::App& app,
                                          const std::vector<std::string>& arguments,
                                          const Streams& streams);

// WrongUsage says what is wrong with the use of a command, and where its help is.
[[nodiscard]] int WrongUsage(std::string_view command, std::string_view message,
                             const Streams& streams);

// NoCommand tells somebody who gave no command what there is.
[[nodiscard]] int NoCommand(const CLI::App& app, const Streams& streams);

}  // namespace ggufgate

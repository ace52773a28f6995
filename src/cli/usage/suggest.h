#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace CLI {
class ParseError;
}

namespace ggufgate {

// DidYouMean returns "; did you mean …?" with the most similar word, escaped. It returns an empty
// text if no word is similar.
[[nodiscard]] std::string DidYouMean(std::string_view asked,
                                     const std::vector<std::string_view>& words);

// IsFolder tells whether a path is a folder; "-", standard input, is not. NotOneFile prints that a
// command takes one file.
[[nodiscard]] bool IsFolder(const std::string& path);
[[nodiscard]] int NotOneFile(std::string_view command, const std::string& path,
                             const Streams& streams);

// FindCommand follows the words from `app` on, for example "policy print". If there is no such
// command, it prints a message with the most similar one and returns nullptr.
[[nodiscard]] const CLI::App* FindCommand(const CLI::App& app,
                                          const std::vector<std::string>& words,
                                          const Streams& streams);

// WrongUsage prints the error in the use of a command to the error stream. If a word is unknown, it
// first prints that word, with the command or option that was probably meant.
[[nodiscard]] int WrongUsage(const CLI::App& app, const CLI::ParseError& error,
                             const Streams& streams);

// SaidWhatIsWrongWithRun checks the words of `ggufgate run` after CLI11 has parsed `arguments`. It
// prints which word is missing or surplus; it returns false if there is no error. CLI11 does not
// separate words at a -- between them.
[[nodiscard]] bool SaidWhatIsWrongWithRun(const CLI::App& app,
                                          const std::vector<std::string>& arguments,
                                          const Streams& streams);

// WrongUsage prints an error in the use of a command, and how to get its help.
[[nodiscard]] int WrongUsage(std::string_view command, std::string_view message,
                             const Streams& streams);

// NoCommand lists the commands for a user who gave none.
[[nodiscard]] int NoCommand(const CLI::App& app, const Streams& streams);

}  // namespace ggufgate

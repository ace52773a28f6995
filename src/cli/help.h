#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ggufgate {

// UseHelpPages makes --help of `app`, and of all commands that it gets later, a page like one of a
// manual: sections in capitals, each option on a line of its own, words wrapped at the width of the
// terminal, 80 columns at most. The page is made of the options that CLI11 parses. `columns` are
// those of the terminal; 0: there is none.
void UseHelpPages(CLI::App& app, std::size_t columns);

// HelpPage is the page of `app`.
[[nodiscard]] std::string HelpPage(const CLI::App& app);

// FullName is "ggufgate", or "ggufgate check" for a command.
[[nodiscard]] std::string FullName(const CLI::App& app);

// CommandsText has a line for each command of `app`, with what it does.
[[nodiscard]] std::string CommandsText(const CLI::App& app);

// Wrapped breaks text at blanks into lines of at most `columns`, and of 80 at most, `indent` of
// them blank; `columns` 0: 80. Lines that the text has already are kept.
[[nodiscard]] std::string Wrapped(std::string_view text, std::size_t indent,
                                  std::size_t columns = 0);

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ggufgate {

// UseHelpPages formats --help of `app`, and of all commands that are added later, like a manual
// page: sections in capitals, each option on a separate line, words wrapped at the width of the
// terminal, at most 80 columns. The page is generated from the options that CLI11 parses. `columns`
// is the width of the terminal, or 0 without one.
void UseHelpPages(CLI::App& app, std::size_t columns);

// HelpPage returns the page of `app`.
[[nodiscard]] std::string HelpPage(const CLI::App& app);

// FullName returns "ggufgate", or "ggufgate check" for a command.
[[nodiscard]] std::string FullName(const CLI::App& app);

// CommandsText has one line per command of `app`, with its summary.
[[nodiscard]] std::string CommandsText(const CLI::App& app);

// Wrapped breaks text at blanks into lines of at most `columns`, and never more than 80. Each line
// starts with `indent` blanks. `columns` 0 means 80. Existing line breaks are kept.
[[nodiscard]] std::string Wrapped(std::string_view text, std::size_t indent,
                                  std::size_t columns = 0);

}  // namespace ggufgate

#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <string_view>

namespace ggufgate {

// HelpFormatter writes --help like a page of a manual: sections in capitals, each option on a line
// of its own, words wrapped at the width of the terminal, 80 columns at most. It reads the options
// that CLI11 parses, so that no second list is kept.
class HelpFormatter : public CLI::Formatter {
 public:
  // `columns` are those of the terminal; 0: there is none.
  explicit HelpFormatter(std::size_t columns = 0) : columns_(columns) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::size_t columns_;
};

// FullName is "ggufgate", or "ggufgate check" for a command.
[[nodiscard]] std::string FullName(const CLI::App& app);

// CommandsText has a line for each command of `app`, with what it does.
[[nodiscard]] std::string CommandsText(const CLI::App& app);

// Wrapped breaks text at blanks into lines of at most `columns`, and of 80 at most, `indent` of
// them blank; `columns` 0: 80. Lines that the text has already are kept.
[[nodiscard]] std::string Wrapped(std::string_view text, std::size_t indent,
                                  std::size_t columns = 0);

}  // namespace ggufgate

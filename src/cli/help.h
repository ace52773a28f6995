#pragma once

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <string>
#include <string_view>

namespace ggufgate {

// HelpFormatter writes --help like a page of a manual: sections in capitals, each option on a line
// of its own, words wrapped at 80 columns. It reads the options that CLI11 parses, so that no
// second list is kept.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

// Wrapped breaks text at blanks into lines of at most 80 columns, `indent` of them blank. Lines
// that the text has already are kept.
[[nodiscard]] std::string Wrapped(std::string_view text, std::size_t indent);

}  // namespace ggufgate

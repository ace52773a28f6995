#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// AddChoice declares an option whose value is one of `words`; the help names them with | between.
CLI::Option* AddChoice(CLI::App& command, const std::string& names, std::string& value,
                       const std::string& what, const std::vector<std::string>& words);

// AddDespiteFindings declares --despite-findings of a command that reads what is in a file (see
// cli/judged_file.h); `verb` is what it then does all the same ("Hash").
void AddDespiteFindings(CLI::App& command, bool& despite_findings, std::string_view verb);

}  // namespace ggufgate

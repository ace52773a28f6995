#include "cli/usage/choice.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace ggufgate {

CLI::Option* AddChoice(CLI::App& command, const std::string& names, std::string& value,
                       const std::string& what, const std::vector<std::string>& words) {
  const auto one_of = [words](const std::string& word) {
    if (std::ranges::find(words, word) != words.end()) return std::string();
    return absl::StrCat("must be one of ", absl::StrJoin(words, ", "), ", not \"", word,
                        "\"");  // escaped where it is printed
  };
  return command.add_option(names, value, what)
      ->check(one_of)
      ->option_text(absl::StrJoin(words, "|"));
}

void AddDespiteFindings(CLI::App& command, bool& despite_findings, std::string_view verb) {
  command.add_flag(
      "--despite-findings", despite_findings,
      std::string(verb) + " in spite of errors that have nothing to do with where the data lie.");
}

}  // namespace ggufgate

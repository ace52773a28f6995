#include "cli/usage/command.h"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace ggufgate {
namespace {

// NumberIn parses a whole number like CLI11, but rejects negative and too large ones.
std::optional<std::uint64_t> NumberIn(const std::string& word) {
  std::uint64_t number = 0;
  errno = 0;
  if (word.find('-') != std::string::npos || !CLI::detail::lexical_cast(word, number) ||
      errno == ERANGE) {
    return std::nullopt;
  }
  return number;
}

// CheckNumber checks a number before CLI11 converts it. The message is escaped when it is printed.
void CheckNumber(CLI::Option& option) {
  option.check([](const std::string& word) {
    return NumberIn(word) ? std::string()
                          : absl::StrCat("must be a whole number, not \"", word, "\"");
  });
}

}  // namespace

CommandOption CommandOption::Required() {
  option_->required();
  return *this;
}

CommandOption CommandOption::ShownAs(const std::string& form) {
  option_->option_text(form);
  return *this;
}

CommandOption CommandOption::Within(std::uint64_t least, std::uint64_t most) {
  option_->check([least, most](const std::string& word) {
    const std::optional<std::uint64_t> number = NumberIn(word);
    if (number && *number >= least && *number <= most) return std::string();
    return absl::StrCat("must be a whole number from ", least, " to ", most, ", not \"", word,
                        "\"");
  });
  return *this;
}

CommandOption CommandOption::NotEmpty() {
  return CheckedBy(
      [](const std::string& word) { return word.empty() ? "must not be empty" : std::string(); });
}

CommandOption CommandOption::CheckedBy(std::function<std::string(const std::string&)> fault) {
  option_->check(std::move(fault));
  return *this;
}

CommandOption CommandOption::Needs(const CommandOption& other) {
  option_->needs(other.option_);
  return *this;
}

CommandOption CommandOption::ValueOptional() {
  option_->expected(0, 1);
  return *this;
}

CommandOption CommandOption::ShownInsteadOfName(const std::string& form) {
  option_->group("")->option_text(form);
  return *this;
}

CommandOption CommandOption::OneValueEach() {
  option_->allow_extra_args(false);
  return *this;
}

bool CommandOption::Given() const { return option_->count() > 0; }

Command Command::AddSubcommand(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description));
}

CommandOption Command::AddOption(const std::string& names, std::string& value,
                                 const std::string& what) {
  return CommandOption(app_->add_option(names, value, what));
}

CommandOption Command::AddOption(const std::string& names, std::vector<std::string>& values,
                                 const std::string& what) {
  return CommandOption(app_->add_option(names, values, what));
}

CommandOption Command::AddOption(const std::string& names, std::uint64_t& value,
                                 const std::string& what) {
  CLI::Option* const option = app_->add_option(names, value, what);
  CheckNumber(*option);
  return CommandOption(option);
}

CommandOption Command::AddOption(const std::string& names, unsigned& value,
                                 const std::string& what) {
  CLI::Option* const option = app_->add_option(names, value, what);
  CheckNumber(*option);
  return CommandOption(option);
}

CommandOption Command::AddFlag(const std::string& names, bool& value, const std::string& what) {
  return CommandOption(app_->add_flag(names, value, what));
}

CommandOption Command::AddChoice(const std::string& names, std::string& value,
                                 const std::string& what, const std::vector<std::string>& words) {
  const auto fault = [words](const std::string& word) {
    if (std::ranges::find(words, word) != words.end()) return std::string();
    return absl::StrCat("must be one of ", absl::StrJoin(words, ", "), ", not \"", word,
                        "\"");  // escaped when printed
  };
  return AddOption(names, value, what).CheckedBy(fault).ShownAs(absl::StrJoin(words, "|"));
}

void Command::Footer(std::string_view text) { app_->footer(std::string(text)); }

void Command::RequireSubcommand() { app_->require_subcommand(1); }

void Command::OnChosen(std::function<void()> chosen) { app_->callback(std::move(chosen)); }

void FailUsage(const std::string& names, const std::string& fault) {
  throw CLI::ValidationError(names, fault);
}

void FailMissing(const std::string& name) { throw CLI::RequiredError(name); }

}  // namespace ggufgate

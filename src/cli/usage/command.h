#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ggufgate {

// Command and CommandOption declare a command line without CLI11's headers, which have more
// templates than all commands together. Only command.cc, and the files of `cli` that read the
// declarations back (help.cc, suggest.cc, command_line.cc), include these headers.
//
// Both are handles. The objects that they refer to live as long as the command line that made them.

// CommandOption is an option or a positional argument. Each function returns the option itself.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  CommandOption Required();
  // ShownAs sets the form of the value in the help: "FILE".
  CommandOption ShownAs(const std::string& form);
  // Within limits a number to the range [least, most].
  CommandOption Within(std::uint64_t least, std::uint64_t most);
  // NotEmpty rejects an empty value, which a script with an unset variable passes.
  CommandOption NotEmpty();
  // CheckedBy sets a function that returns the error of a value, or an empty string.
  CommandOption CheckedBy(std::function<std::string(const std::string&)> fault);
  CommandOption Needs(const CommandOption& other);
  // ValueOptional allows the option without a value.
  CommandOption ValueOptional();
  // ShownInsteadOfName sets the form of an option that nobody gives by its name: "-- COMMAND".
  CommandOption ShownInsteadOfName(const std::string& form);
  // OneValueEach makes a list take one value each time the option is given.
  CommandOption OneValueEach();

  // Given tells, after parsing, whether the command line has the option. It allocates no memory.
  [[nodiscard]] bool Given() const;

 private:
  CLI::Option* option_;
};

// Command is the program or a subcommand.
class Command {
 public:
  explicit Command(CLI::App& app) : app_(&app) {}

  // AddSubcommand declares a command. The first line of `description` is its summary.
  Command AddSubcommand(const std::string& name, const std::string& description);

  // AddOption declares an option ("-o,--output") or a positional argument ("FILE"). Parsing writes
  // to `value`, which must outlive it.
  CommandOption AddOption(const std::string& names, std::string& value, const std::string& what);
  CommandOption AddOption(const std::string& names, std::vector<std::string>& values,
                          const std::string& what);
  CommandOption AddOption(const std::string& names, std::uint64_t& value, const std::string& what);
  CommandOption AddOption(const std::string& names, unsigned& value, const std::string& what);
  CommandOption AddFlag(const std::string& names, bool& value, const std::string& what);
  // AddChoice declares an option whose value is one of `words`. The help shows them separated by |.
  CommandOption AddChoice(const std::string& names, std::string& value, const std::string& what,
                          const std::vector<std::string>& words);

  // Footer sets the text at the end of the help.
  void Footer(std::string_view text);
  // RequireSubcommand makes a subcommand mandatory.
  void RequireSubcommand();
  // OnChosen sets the function that parsing calls when the command line names this command.
  void OnChosen(std::function<void()> chosen);

  // For help.cc, suggest.cc and command_line.cc.
  [[nodiscard]] CLI::App& app() const { return *app_; }

 private:
  CLI::App* app_;
};

// Call these from a function that OnChosen has set, if the command line is wrong. Their messages
// are "NAMES: FAULT" and "NAME is required".
[[noreturn]] void FailUsage(const std::string& names, const std::string& fault);
[[noreturn]] void FailMissing(const std::string& name);

}  // namespace ggufgate

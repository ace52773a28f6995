#include "cli/command_line.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>  // has the virtual table of a part of App
#include <algorithm>
#include <exception>
#include <ios>
#include <memory>
#include <new>
#include <string_view>
#include <utility>

#include "cli/help.h"
#include "cli/usage/suggest.h"
#include "cli/usage/terminal.h"
#include "cli/version.h"
#include "gate/confine/confine.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

constexpr std::string_view kFooter = R"(EXIT STATUS
    0  every file is accepted
    1  a file is rejected: do not load it
    2  undecided: do not load the file either. It could not be read, it changed
       meanwhile, the check reached a limit or crashed, no file was found, or
       the command was wrong

EXAMPLES
    ggufgate check model.gguf
        Is this file safe to load?
    ggufgate check --format json models/
        All models in a folder, for a program to read.
    ggufgate check --format sarif --output models.sarif models/
        A report for code scanning, in a file.
    curl ... | ggufgate check -
        A download, before it is stored.
    ggufgate inspect --layout model.gguf
        The parts of the file, and their places.
    ggufgate explain tensor-data-bounds
        The requirement of a rule, and the repair.
)";

// Usage prints an error in the command line to the error stream.
int Usage(const CLI::App& app, const CLI::ParseError& error, const Streams& streams) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    app.exit(error, streams.out, streams.error);  // prints --help or --version
    return kExitAccept;
  }
  return WrongUsage(app, error, streams);
}

// CLI11 takes an argument "[a,b]" for the list of a and b, so it would read a file named "[x]" as
// "x". Marked adds a NUL, which no argument of the system contains, after the bracket to hide it
// from CLI11. Every option removes the NUL again.
std::vector<std::string> Marked(std::vector<std::string> arguments) {
  for (std::string& argument : arguments) {
    if (argument.starts_with('[')) argument += '\0';
  }
  return arguments;
}

void UnmarkIn(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    UnmarkIn(*command);  // for all levels of commands
    for (CLI::Option* option : command->get_options()) {
      option->transform(
          [](std::string argument) {
            if (argument.ends_with('\0')) argument.pop_back();
            return argument;
          },
          "");
    }
  }
}

// LacksSeparator tells whether `run`, or a `rehearse` with the place of a model, lacks the --.
// Without it, the options of the loader would be parsed as options of ggufgate.
bool LacksSeparator(const std::vector<std::string>& arguments) {
  const auto has = [&](std::string_view word) {
    return std::ranges::find(arguments, word) != arguments.end();
  };
  if (arguments.empty() || has("--") || has("--help") || has("-h")) return false;
  return arguments.front() == "run" || (arguments.front() == "rehearse" && has("{}"));
}

// WithCommandAsOptions: `rehearse` takes any number of models, and a list of positional arguments
// cannot be followed by another. So each word behind -- becomes an option.
std::vector<std::string> WithCommandAsOptions(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "rehearse") return arguments;
  const auto dashes = std::ranges::find(arguments, "--");
  if (dashes == arguments.end()) return arguments;
  std::for_each(std::next(dashes), arguments.end(),
                [](std::string& word) { word.insert(0, "--command="); });
  arguments.erase(dashes);
  return arguments;
}

// IsNamed tells whether a subcommand, "Check" in commands.def, has the name `check`.
bool IsNamed(std::string_view subcommand, std::string_view word) {
  return subcommand.size() == word.size() && subcommand.substr(1) == word.substr(1) &&
         subcommand.front() == word.front() - 'a' + 'A';
}

// AddCommands declares the command that the first word names. For any other first word it declares
// all commands, because the help lists them and a typo gets a suggestion. Declaring all takes a
// millisecond.
void AddCommands(CLI::App& app, std::string_view first, const Streams& streams,
                 ChosenCommand& run) {
  bool one = false;
#define GGUFGATE_SUBCOMMAND(name) one = one || (first != "help" && IsNamed(#name, first));
#include "cli/commands.def"
#undef GGUFGATE_SUBCOMMAND
#define GGUFGATE_SUBCOMMAND(name) \
  if (!one || IsNamed(#name, first)) Add##name##Command(Command(app), streams, run);
#include "cli/commands.def"
#undef GGUFGATE_SUBCOMMAND
}

void AddColourOptionIn(CLI::App& app, std::string& choice) {
  AddColourOption(Command(app), choice);
  for (CLI::App* command : app.get_subcommands({})) {
    AddColourOptionIn(*command, choice);  // for all levels of commands
  }
}

int ParseAndRun(const std::vector<std::string>& arguments, const Streams& given) {
  Streams streams = given;
  if (LacksSeparator(arguments)) {
    const std::string& name = arguments.front();
    streams.error << "ggufgate: " << name << " needs -- before the command: ggufgate " << name
                  << " [OPTIONS] MODEL -- COMMAND {}\n";
    return kExitUndecided;
  }
  // Never freed: freeing it took a tenth of the time of a small check.
  static auto& kept = *new std::unique_ptr<CLI::App>;
  kept = std::make_unique<CLI::App>(
      "is this GGUF file safe to load, and if not, exactly which byte is wrong?\nChecks model "
      "files before a program loads them. It treats each file as hostile input, applies all rules, "
      "and prints ok, reject or undecided.",
      "ggufgate");
  CLI::App& app = *kept;
  UseHelpPages(app, streams.columns);  // before the subcommands, which inherit it
  app.set_version_flag("-V,--version", VersionText,
                       "Show version, commit, compiler and confinement");
  app.set_help_flag("-h,--help", "Show this help");
  app.require_subcommand(1);
  app.footer(std::string(kFooter));

  ChosenCommand run;
  AddCommands(app, arguments.empty() ? std::string_view() : arguments.front(), streams, run);

  std::string colour = "auto";
  AddColourOptionIn(app, colour);
  UnmarkIn(app);
  if (arguments.empty()) return NoCommand(app, streams);

  std::vector<std::string> reversed = Marked(WithCommandAsOptions(arguments));
  std::ranges::reverse(reversed);  // the order that CLI11 expects
  try {
    app.parse(reversed);
    if (SaidWhatIsWrongWithRun(app, arguments, streams)) return kExitUndecided;
  } catch (const CLI::ParseError& error) {
    const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
    const bool of_words =
        code == CLI::ExitCodes::RequiredError || code == CLI::ExitCodes::ExtrasError;
    if (of_words && SaidWhatIsWrongWithRun(app, arguments, streams)) return kExitUndecided;
    return Usage(app, error, streams);
  }
  streams.colour = Coloured(colour, streams.colour);
  streams.error_colour = Coloured(colour, streams.error_colour);
  return run();
}

}  // namespace

int Guarded(const std::function<int()>& work, const Streams& streams) {
  int code = kExitUndecided;
  try {
    code = work();
    streams.out.flush();
  } catch (const std::bad_alloc&) {
    streams.error << "ggufgate: out of memory\n";
    return kExitUndecided;
  } catch (const std::exception& error) {
    streams.error << "ggufgate: " << EscapeText(error.what()) << '\n';
    return kExitUndecided;
  }
  if (!streams.out) {
    // Prints this once: without confinement, calls of this function are nested.
    static const int told = std::ios_base::xalloc();
    if (std::exchange(streams.out.iword(told), 1) == 0) {
      streams.error << "ggufgate: cannot write the report\n";
    }
    return kExitUndecided;
  }
  return code;
}

namespace {

bool Spools(const std::vector<std::string>& files) {
  return std::ranges::find(files, "-") != files.end();
}

}  // namespace

int GuardedAndConfined(const std::vector<std::string>& files, const std::function<int()>& work,
                       const Streams& streams) {
  streams.out.flush();  // otherwise the child would write it again
  const absl::StatusOr<int> code =
      RunConfined({.readable = files, .reads = !files.empty(), .spools = Spools(files)},
                  [&] { return Guarded(work, streams); });
  if (code.ok()) return *code;
  streams.error << "ggufgate: undecided: " << code.status().message() << '\n';
  return kExitUndecided;
}

int RunCommandLine(const std::vector<std::string>& arguments, const Streams& streams) {
  return Guarded([&] { return ParseAndRun(arguments, streams); }, streams);
}

}  // namespace ggufgate

#include "cli/usage/suggest.h"

#include <sys/stat.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <iterator>

#include "check/nearest.h"
#include "cli/help.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

void SayWhereHelpIs(const CLI::App& app, const Streams& streams) {
  streams.error << "Try '" << FullName(app) << " --help'.\n";
}

// NameOf returns the command without the program's name: "policy print". It is empty for the
// program itself.
std::string NameOf(const CLI::App& app) {
  const std::string name = FullName(app);
  return name.substr(std::min(name.find(' '), name.size() - 1) + 1);
}

// Reached returns the innermost command that was recognized.
const CLI::App& Reached(const CLI::App& app) {
  const CLI::App* reached = &app;
  while (!reached->get_subcommands().empty()) reached = reached->get_subcommands().back();
  return *reached;
}

std::vector<std::string_view> CommandsOf(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// OptionsOf lists the long options without their dashes, because the dashes would make all of them
// similar.
std::vector<std::string_view> OptionsOf(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // nobody gives it by its name
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// IsThere distinguishes a file from a misspelt command.
bool IsThere(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0;
}

// TextOf returns the text of an error. It replaces texts of CLI11 that mention its types and
// checks.
std::string TextOf(const CLI::ParseError& error) {
  constexpr std::string_view kConversion = "Could not convert: ";
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find(':'));
  if (error.get_name() == "ArgumentMismatch") {
    if (text.ends_with(" missing")) return name + " needs a value";
    if (text.find(": At Most 1 ") != std::string::npos) {
      return name + " is given " + text.substr(text.rfind(' ') + 1) + " times; give it once";
    }
  }
  if (error.get_name() == "ConversionError" && text.starts_with(kConversion)) {
    const std::string rest = text.substr(kConversion.size());  // "--jobs = x"
    const std::size_t sign = rest.find(" = ");
    if (sign != std::string::npos) {
      return rest.substr(0, sign) + " does not take the value \"" + rest.substr(sign + 3) + '"';
    }
  }
  return text;
}

void NoSuchCommand(const CLI::App& app, const std::string& word, const Streams& streams) {
  streams.error << "ggufgate: there is no command " << Quoted(word);
  const std::vector<std::string_view> options = OptionsOf(app);
  const std::vector<std::string_view> commands = CommandsOf(app);
  std::vector<std::string_view> words = commands;
  words.insert(words.end(), options.begin(), options.end());  // "version" for --version
  const std::string_view nearest = Nearest(word, words);
  if (app.get_parent() == nullptr && IsThere(word)) {
    streams.error << "; did you mean ggufgate check " << EscapeText(word) << "?";
  } else if (!nearest.empty()) {
    const bool command = std::ranges::find(commands, nearest) != commands.end();
    streams.error << "; did you mean " << (command ? "" : "--") << EscapeText(nearest) << "?";
  }
  streams.error << '\n';
  SayWhereHelpIs(app, streams);
}

void NoSuchOption(const CLI::App& app, const std::string& word, const Streams& streams) {
  const std::string name = word.substr(0, word.find('='));
  const std::string owner = NameOf(app);
  streams.error << "ggufgate: " << (owner.empty() ? "there is" : owner + " has") << " no option "
                << Quoted(name);
  if (name.starts_with("--")) {
    const std::vector<std::string_view> options = OptionsOf(app);
    const std::string_view nearest = Nearest(std::string_view(name).substr(2), options);
    if (!nearest.empty()) streams.error << "; did you mean --" << nearest << "?";
  }
  streams.error << '\n';
  SayWhereHelpIs(app, streams);
}

// SayWhatWasNotUnderstood reports the first word that no option or argument took.
void SayWhatWasNotUnderstood(const CLI::App& app, const std::string& marked,
                             const Streams& streams) {
  const std::string word = marked.substr(0, marked.find('\0'));
  if (word.size() > 1 && word.starts_with('-')) return NoSuchOption(app, word, streams);
  if (!app.get_subcommands({}).empty()) return NoSuchCommand(app, word, streams);
  streams.error << "ggufgate: " << NameOf(app) << " takes no further argument: " << Quoted(word)
                << '\n';
  SayWhereHelpIs(app, streams);
}

}  // namespace

std::string DidYouMean(std::string_view asked, const std::vector<std::string_view>& words) {
  const std::string_view nearest = Nearest(asked, words);
  return nearest.empty() ? "" : "; did you mean " + EscapeText(nearest) + "?";
}

bool IsFolder(const std::string& path) {
  struct stat status = {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

int NotOneFile(std::string_view command, const std::string& path, const Streams& streams) {
  const std::string name = EscapeText(path);
  streams.error << "ggufgate: " << name << " is a folder; " << command
                << " takes one file: try ggufgate check " << name << '\n';
  return kExitUndecided;
}

const CLI::App* FindCommand(const CLI::App& app, const std::vector<std::string>& words,
                            const Streams& streams) {
  const CLI::App* found = &app;
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> commands = found->get_subcommands({});
    const auto named = std::ranges::find(
        commands, word, [](const CLI::App* command) { return command->get_name(); });
    if (named == commands.end()) {
      NoSuchCommand(*found, word, streams);
      return nullptr;
    }
    found = *named;
  }
  return found;
}

bool SaidWhatIsWrongWithRun(const CLI::App& app, const std::vector<std::string>& arguments,
                            const Streams& streams) {
  const auto say = [&](const std::string& what) {
    const std::string form = ": ggufgate run [OPTIONS] MODEL -- COMMAND {}";
    (void)WrongUsage("run", what + form, streams);
    return true;
  };
  const auto marker = std::ranges::find(arguments, "--");
  if (marker == arguments.end() || arguments.front() != "run") return false;
  const CLI::App& run = *app.get_subcommand("run");
  const std::vector<std::string> unknown = run.remaining();
  const auto option =
      std::ranges::find_if(unknown, [](const std::string& word) { return word != "--"; });
  if (option != unknown.end()) {
    NoSuchOption(run, *option, streams);
    return true;
  }
  // CLI11 leaves words after -- to the program if a word before it became COMMAND.
  const std::vector<std::string>& command = run.get_option("COMMAND")->results();
  const std::size_t words = run.get_option("MODEL")->count() + command.size();
  const auto behind = static_cast<std::size_t>(std::distance(marker, arguments.end()) - 1);
  if (!command.empty() && (!app.remaining().empty() || words > behind + 1)) {
    const std::string surplus = command.front().substr(0, command.front().find('\0'));
    return say("run takes one MODEL before --; " + Quoted(surplus) + " is surplus");
  }
  if (words <= behind) return say("run: MODEL is missing before --");
  return behind == 0 && say("run: COMMAND is missing after --");
}

int WrongUsage(std::string_view command, std::string_view message, const Streams& streams) {
  streams.error << "ggufgate: " << message << "\nTry 'ggufgate " << command << " --help'.\n";
  return kExitUndecided;
}

int WrongUsage(const CLI::App& app, const CLI::ParseError& error, const Streams& streams) {
  const CLI::App& reached = Reached(app);
  // From the outermost command inward: words that the whole program cannot use come first.
  for (const CLI::App* level = &app;; level = level->get_subcommands().back()) {
    const std::vector<std::string> left = level->remaining();
    const auto word =
        std::ranges::find_if(left, [](const std::string& text) { return text != "--"; });
    if (word != left.end()) {
      SayWhatWasNotUnderstood(*level, *word, streams);
      return kExitUndecided;
    }
    if (level == &reached) break;
  }
  if (!reached.get_subcommands({}).empty()) return NoCommand(reached, streams);
  streams.error << "ggufgate: " << EscapeText(TextOf(error)) << '\n';
  SayWhereHelpIs(reached, streams);
  return kExitUndecided;
}

int NoCommand(const CLI::App& app, const Streams& streams) {
  const std::string owner = NameOf(app);
  streams.error << "ggufgate: "
                << (owner.empty() ? "a command is missing" : owner + ": a command is missing")
                << ". There are:\n\n"
                << CommandsText(app) << "\nTry '"
                << (owner.empty() ? "ggufgate check FILE' or '" : "") << FullName(app)
                << " --help'.\n";
  return kExitUndecided;
}

}  // namespace ggufgate

#include "cli/usage/suggest.h"

#include <sys/stat.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "check/nearest.h"
#include "cli/help.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

void SayWhereHelpIs(const CLI::App& app, const Streams& streams) {
  streams.error << "Try '" << FullName(app) << " --help'.\n";
}

// NameOf is the command without the program's name: "policy print". Empty for the program itself.
std::string NameOf(const CLI::App& app) {
  const std::string name = FullName(app);
  return name.substr(std::min(name.find(' '), name.size() - 1) + 1);
}

// Reached is the innermost command that was understood.
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

// OptionsOf lists the long options without their dashes, which would make all of them alike.
std::vector<std::string_view> OptionsOf(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// IsThere tells a file from a misspelt command.
bool IsThere(const std::string& path) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0;
}

// TextOf is what CLI11 says of an error, but for an option without its value, of which it tells the
// type and all its checks.
std::string TextOf(const CLI::ParseError& error) {
  const std::string text = error.what();
  const bool lacks = error.get_name() == "ArgumentMismatch" && text.ends_with(" missing");
  return lacks ? text.substr(0, text.find(':')) + " needs a value" : text;
}

void NoSuchCommand(const CLI::App& app, const std::string& word, const Streams& streams) {
  streams.error << "ggufgate: there is no command " << Quoted(word);
  if (app.get_parent() == nullptr && IsThere(word)) {
    streams.error << "; did you mean ggufgate check " << EscapeText(word) << "?";
  } else {
    streams.error << DidYouMean(word, CommandsOf(app));
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

// SayWhatWasNotUnderstood takes the first word that nothing wanted.
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

int WrongUsage(std::string_view command, std::string_view message, const Streams& streams) {
  streams.error << "ggufgate: " << message << "\nTry 'ggufgate " << command << " --help'.\n";
  return kExitUndecided;
}

int WrongUsage(const CLI::App& app, const CLI::ParseError& error, const Streams& streams) {
  const CLI::App& reached = Reached(app);
  // In the order of the tree: what the whole program has no use for comes first.
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

#include "cli/help.h"

#include <CLI/App.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

constexpr std::size_t kMostColumns = 80;
constexpr std::size_t kIndent = 4;
constexpr std::size_t kDeepIndent = 8;

// IsNamed: CommandOption::ShownInsteadOfName takes an option out of its group.
bool IsNamed(const CLI::Option& option) { return !option.get_group().empty(); }

std::string OptionName(const CLI::Option& option) {
  if (!IsNamed(option)) return option.get_option_text();
  std::string name = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
  for (std::size_t comma = name.find(','); comma != std::string::npos;
       comma = name.find(',', comma + 2)) {
    name.insert(comma + 1, " ");
  }
  if (!option.get_positional() && !option.get_option_text().empty()) {
    absl::StrAppend(&name, " ", option.get_option_text());
  }
  return name;
}

std::string OptionsText(const CLI::App& app, std::size_t columns) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    absl::StrAppend(&text, std::string(kIndent, ' '), OptionName(*option), "\n",
                    Wrapped(option->get_description(), kDeepIndent, columns));
  }
  return text;
}

std::string Synopsis(const CLI::App& app) {
  if (!app.get_subcommands({}).empty()) {
    return absl::StrCat(FullName(app), " COMMAND [OPTION]... [ARGUMENT]...");
  }
  std::string text = absl::StrCat(FullName(app), " [OPTION]...");
  for (const CLI::Option* option : app.get_options()) {
    if (!IsNamed(*option)) absl::StrAppend(&text, " [", option->get_option_text(), "]");
    if (!option->get_positional()) continue;
    const bool many = option->get_items_expected_max() > 1;
    std::string form = option->get_option_text();  // more precise than the name
    if (form.empty()) form = option->get_name(true);
    absl::StrAppend(&text, " ", option->get_required() ? form : absl::StrCat("[", form, "]"),
                    many ? "..." : "");
  }
  return text;
}

}  // namespace

std::string FullName(const CLI::App& app) {
  return app.get_parent() == nullptr
             ? app.get_name()
             : absl::StrCat(FullName(*app.get_parent()), " ", app.get_name());
}

std::string CommandsText(const CLI::App& app) {
  constexpr std::size_t kNameColumn = 12;
  std::string text;
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    const std::string blanks(kNameColumn - std::min(kNameColumn - 1, name.size()), ' ');
    absl::StrAppend(&text, std::string(kIndent, ' '), name, blanks,
                    command->get_description().substr(0, command->get_description().find('\n')),
                    "\n");
  }
  return text;
}

std::string Wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  columns = columns == 0 ? kMostColumns : std::min(columns, kMostColumns);
  indent = std::min(indent, columns / 4);
  std::string out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    while (indent + line.size() > columns) {
      std::size_t end = line.rfind(' ', columns - indent);
      if (end == std::string_view::npos || end == 0) end = columns - indent;
      absl::StrAppend(&out, std::string(indent, ' '), std::string(line.substr(0, end)), "\n");
      line.remove_prefix(end);
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    }
    absl::StrAppend(&out, std::string(line.empty() ? 0 : indent, ' '), std::string(line), "\n");
  }
  return out;
}

namespace {

std::string PageOf(const CLI::App& app, std::size_t columns) {
  std::string page = "NAME\n";
  const std::string& description = app.get_description();
  const std::size_t line = std::min(description.find('\n'), description.size());
  absl::StrAppend(&page, Wrapped(absl::StrCat(FullName(app), " - ", description.substr(0, line)),
                                 kIndent, columns));
  absl::StrAppend(&page, "\nSYNOPSIS\n", Wrapped(Synopsis(app), kIndent, columns));
  if (line < description.size()) {
    absl::StrAppend(&page, "\nDESCRIPTION\n",
                    Wrapped(description.substr(line + 1), kIndent, columns));
  }
  if (!app.get_subcommands({}).empty()) {
    absl::StrAppend(&page, "\nCOMMANDS\n", CommandsText(app));
  }
  absl::StrAppend(&page, "\nOPTIONS\n", OptionsText(app, columns));
  return absl::StrCat(page, app.get_footer().empty() ? "" : "\n", app.get_footer());
}

class HelpFormatter : public CLI::Formatter {
 public:
  explicit HelpFormatter(std::size_t columns) : columns_(columns) {}

  std::string make_help(const CLI::App* app, std::string /*name*/,
                        CLI::AppFormatMode /*mode*/) const override {
    return PageOf(*app, columns_);
  }

 private:
  std::size_t columns_;
};

}  // namespace

void UseHelpPages(CLI::App& app, std::size_t columns) {
  app.formatter(std::make_shared<HelpFormatter>(columns));
}

// Not App::help(), which always prints the page of the command that was parsed.
std::string HelpPage(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, "", CLI::AppFormatMode::Normal);
}

}  // namespace ggufgate

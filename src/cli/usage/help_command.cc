// ggufgate help: the page of a command.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/usage/suggest.h"

namespace ggufgate {
namespace {

constexpr std::string_view kHelpFooter = R"(EXIT STATUS
    0  there is such a command
    2  there is none; the error names the nearest

EXAMPLES
    ggufgate help check
        The same as ggufgate check --help.
    ggufgate help policy print
        Of a command inside a command.
)";

}  // namespace

void AddHelpCommand(CLI::App& app, const Streams& streams, ChosenCommand& run) {
  const auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "show the page of a command");
  command->footer(std::string(kHelpFooter));
  command->add_option("COMMAND", *words, "A command; without one, the page of ggufgate itself.");
  command->callback([words, &app, &streams, &run] {
    run = [words, &app, &streams] {
      const CLI::App* found = FindCommand(app, *words, streams);
      if (found == nullptr) return kExitUndecided;
      // Not by help(), which of the whole would give the page of this command.
      streams.out << found->get_formatter()->make_help(found, "", CLI::AppFormatMode::Normal);
      return kExitAccept;
    };
  });
}

}  // namespace ggufgate

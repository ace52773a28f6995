// ggufgate help: prints the help page of a command.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/usage/suggest.h"

namespace ggufgate {
namespace {

constexpr std::string_view kHelpFooter = R"(EXIT STATUS
    0  there is such a command
    2  there is no such command; the error names a similar one, if there is one

EXAMPLES
    ggufgate help check
        The same as ggufgate check --help.
    ggufgate help policy print
        A command of the command policy.
)";

}  // namespace

void AddHelpCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto words = std::make_shared<std::vector<std::string>>();
  Command command = app.AddSubcommand("help", "show the page of a command");
  command.Footer(kHelpFooter);
  command.AddOption("COMMAND", *words, "A command. Without it, the page of ggufgate.");
  command.OnChosen([words, app, &streams, &run] {
    run = [words, app, &streams] {
      const CLI::App* found = FindCommand(app.app(), *words, streams);
      if (found == nullptr) return kExitUndecided;
      streams.out << HelpPage(*found);
      return kExitAccept;
    };
  });
}

}  // namespace ggufgate

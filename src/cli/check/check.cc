// ggufgate check: the verdict on files and folders.

#include <memory>

#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/command_line.h"
#include "gate/find_files.h"

namespace ggufgate {

void AddCheckCommand(CLI::App& app, const Streams& streams, RunCommand& run) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand(
      "check",
      "judge files: ok, reject or undecided\n"
      "Prints one line a file, and under it every finding: its byte offset, its rule, the place in "
      "the file, what was found and what is allowed; and what probably happened to the file.");
  command
      ->add_option("PATH", options->paths,
                   "Files; folders, which are searched for files that begin with the magic, "
                   "whatever their name, or are named *.gguf; - for standard input.")
      ->required();
  AddCheckOptions(*command, *options);
  command->callback([options, &streams, &run] {
    run = [options, &streams] {
      const FoundFiles found = FindFiles(options->paths);
      return CheckFiles(found, found, *options, streams);
    };
  });
}

}  // namespace ggufgate

// ggufgate check: the verdict on files and folders.

#include <memory>

#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/check/stores.h"
#include "cli/command_line.h"
#include "gate/find_files.h"
#include "stores/list_stores.h"

namespace ggufgate {

void AddCheckCommand(CLI::App& app, const Streams& streams, RunCommand& run) {
  const auto options = std::make_shared<CheckOptions>();
  const auto wanted = std::make_shared<StoreOptions>();
  CLI::App* command = app.add_subcommand(
      "check",
      "judge files: ok, reject or undecided\n"
      "Prints one line a file, and under it every finding: its byte offset, its rule, the place in "
      "the file, what was found and what is allowed; and what probably happened to the file.");
  command->add_option("PATH", options->paths,
                      "Files; folders, which are searched for files that begin with the magic, "
                      "whatever their name, or are named *.gguf, and for the stores of Ollama and "
                      "Hugging Face; - for standard input.");
  AddStoreOptions(*command, *wanted);
  AddCheckOptions(*command, *options);
  command->callback([options, wanted, command, &streams, &run] {
    ReadStoreOptions(*command, *wanted);
    if (options->paths.empty() && !wanted->Any()) throw CLI::RequiredError("PATH");
    run = [options, wanted, &streams] {
      FoundFiles found = FindFiles(options->paths, {.stores = true});
      AddStores(*wanted, found);
      const ModelStores stores = ListStores(found);
      return CheckFiles(found, found, *options, streams, stores);
    };
  });
}

}  // namespace ggufgate

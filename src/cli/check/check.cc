// ggufgate check: checks files and folders.

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check/file_list.h"
#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/check/remote.h"
#include "cli/check/stores.h"
#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/usage/suggest.h"
#include "format/loader_limits.h"
#include "gate/find_files.h"
#include "gate/shards_beside.h"
#include "stores/list_stores.h"

namespace ggufgate {
namespace {

// SearchOptions name files to check in addition to the paths.
struct SearchOptions {
  std::string list;  // a file with paths, or empty
  bool by_nul = false;
  std::vector<std::string> excluded;
};

void AddSearchOptions(Command command, SearchOptions& options) {
  CommandOption list =
      command
          .AddOption("--files-from", options.list,
                     "Also check the paths in FILE, one per line; - for standard input.")
          .ShownAs("FILE")
          .NotEmpty();
  command
      .AddFlag("-0,--null", options.by_nul,
               "Each path of --files-from ends with a NUL byte, as from find -print0.")
      .Needs(list);
  command
      .AddOption("--exclude", options.excluded,
                 "Skip files and folders that match the shell pattern. A pattern with a slash must "
                 "match the whole path, any other pattern the name. May be given several times.")
      .ShownAs("GLOB")
      .OneValueEach();  // the word after a pattern is a path
}

// AddPrefixOption declares an option for only one file, standard input.
void AddPrefixOption(Command command, CheckOptions& options) {
  command
      .AddOption("--total-size", options.total_size,
                 "Standard input has only the first bytes of a file of N bytes. If they are not "
                 "enough, the report says how many more are needed.")
      .Within(1, kMaximumSize)
      .ShownAs("N");
  command.AddFlag(
      "--pass-through", options.pass_through,
      "Copy standard input to standard output during the check, and write the report to standard "
      "error. The copy starts when the header is accepted, stops at the first error, and gets its "
      "last 64 KiB only if the whole file is accepted. Use the copy only if the exit code is 0.");
}

void AddRehearsalOption(Command command, CheckOptions& options) {
  command
      .AddOption(
          "--rehearse", options.rehearsal_loader,
          "Accept a file only if the loader LIBLLAMA (a shared library with llama.cpp's C "
          "API) runs it in a sandbox, with zeros instead of the weights. Files on servers, and "
          "models that were found in a store, are undecided. See 'ggufgate rehearse --help' "
          "for the limits, and for other inputs and loaders.")
      .ShownAs("LIBLLAMA")
      .NotEmpty();
}

// ShowsDigest tells whether the report format contains the result of --sha256.
bool ShowsDigest(const CheckOptions& options) {
  constexpr std::array<std::string_view, 4> kFormats = {"json", "jsonl", "sarif", "html"};
  return !options.summary && std::ranges::find(kFormats, options.format) != kFormats.end();
}

// WrongTogether returns an error if the options are valid separately but not together, else an
// empty text.
std::string_view WrongTogether(const CheckOptions& options, const StoreOptions& wanted,
                               const SearchOptions& search, const Streams& streams) {
  if (options.summary && options.format != "text" && options.format != "json") {
    return "--summary needs --format text or json";
  }
  if (options.quiet && options.verbose) return kQuietAndVerbose;
  const bool input_alone = options.paths.size() == 1 && options.paths.front() == "-" &&
                           search.list.empty() && !wanted.Any();
  if (options.total_size != 0 && !input_alone) {
    return "--total-size needs standard input (-) as the only file";
  }
  if (options.pass_through && !input_alone) {
    return "--pass-through needs standard input (-) as the only file";
  }
  if (options.pass_through && streams.columns > 0) {
    return "--pass-through does not write to a terminal, because the bytes can control it: use a "
           "pipe or a file";
  }
  const auto inputs = std::ranges::count(options.paths, "-");
  if (!options.rehearsal_loader.empty() && inputs > 0) {
    return "--rehearse cannot rehearse standard input (-), which can be read only once: use "
           "'ggufgate rehearse'";
  }
  if (search.list == "-" && inputs > 0) {
    return "standard input is the list of files, so it cannot be a file to check";
  }
  if (inputs > 1) return "standard input (-) is given more than once; give it once";
  return "";
}

int RunCheck(CheckOptions options, const StoreOptions& wanted, const SearchOptions& search,
             const Streams& streams) {
  if (const std::string_view wrong = WrongTogether(options, wanted, search, streams);
      !wrong.empty()) {
    return WrongUsage("check", wrong, streams);
  }
  if (options.sha256 && !ShowsDigest(options)) {
    streams.error << "ggufgate: this report has no SHA-256; --format json shows it\n";
  }
  if (!search.list.empty()) {
    absl::StatusOr<std::vector<std::string>> listed = ReadFileList(search.list, search.by_nul);
    if (!listed.ok()) return ComplainOf(search.list, listed.status(), streams);
    std::ranges::move(*listed, std::back_inserter(options.paths));
  }
  FoundFiles found = FindFiles(options.paths, {.stores = true}, search.excluded);
  FindShardsBeside(search.excluded, found);
  FindRemoteShards(found);
  AddStores(wanted, search.excluded, found);
  const ModelStores stores = ListStores(found);
  return CheckFiles(found, found, options, streams, stores);
}

}  // namespace

void AddCheckCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<CheckOptions>();
  const auto wanted = std::make_shared<StoreOptions>();
  const auto search = std::make_shared<SearchOptions>();
  Command command = app.AddSubcommand(
      "check",
      "check files: ok, reject or undecided\nPrints one line per file, and below "
      "it each finding: its byte offset, its rule, the place in the file, the "
      "value and the limit. If the bytes show the cause, the next line gives it.");
  CommandOption paths = command.AddOption(
      "PATH", options->paths,
      "Files, folders, addresses, or - for standard input. In a folder, the command checks files "
      "that begin with the letters GGUF, files named *.gguf, and stores of Ollama and Hugging "
      "Face. Addresses are https://… and hf://OWNER/REPOSITORY/PATH[@REVISION]; only the "
      "checked part is fetched. If you name the first shard of a set on disk, or any shard on a "
      "server, the other shards are also checked.");
  paths.NotEmpty();
  AddStoreOptions(command, *wanted);
  AddSearchOptions(command, *search);
  AddPrefixOption(command, *options);
  AddRemoteOptions(command, options->remote);
  AddRehearsalOption(command, *options);
  AddCheckOptions(command, *options);
  command.AddFlag("--summary", options->summary,
                  "Print one line for each rule, with the numbers of its findings and of the files "
                  "that have them, instead of a report on each file. As text or json.");
  command.OnChosen([options, wanted, search, &streams, &run] {
    if (options->paths.empty() && search->list.empty() && !wanted->Any()) {
      FailMissing("PATH");
    }
    run = [options, wanted, search, &streams] {
      return RunCheck(*options, *wanted, *search, streams);
    };
  });
}

}  // namespace ggufgate

// ggufgate run: checks a model, and replaces this process by a loader that reads the bytes checked.

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <ostream>
#include <system_error>

#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/loader_command.h"
#include "cli/rehearse/rehearsal_report.h"
#include "cli/rehearse/rehearsing.h"
#include "cli/usage/suggest.h"
#include "gate/reading/pinned_file.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// The same codes as env(1) and timeout(1).
constexpr int kExitCannotRun = 126;
constexpr int kExitNotFound = 127;

constexpr std::string_view kRunFooter = R"(EXIT STATUS
    1    the model is rejected, or did not run in the rehearsal
    2    undecided: the model could not be read, locked or rehearsed, or the
         command line was wrong
    126  COMMAND could not be run
    127  COMMAND was not found
    else the exit status of COMMAND. It may also be one of these. COMMAND was
         not run if a line begins with "reject", "undecided" or "ggufgate:"

EXAMPLES
    ggufgate run model.gguf -- llama-server --model {}
        A server that loads exactly the bytes that were checked.
    ggufgate run --seal downloads/model.gguf -- llama-cli -m {} -p Hello
        The same with a copy in memory, if others can write the file.
)";

struct RunOptions {
  CheckOptions check;
  std::string model;
  std::vector<std::string> command;
  bool seal = false;
  std::string rehearsal_loader;  // empty: no rehearsal
};

// Execute does not return if the command can be run; otherwise it returns an error. It does not use
// execvp(), which would pass a file of unknown type to /bin/sh: a text inside a GGUF file may be a
// shell script.
int Execute(std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  bool denied = false;
  for (const std::string& path : PathsOf(command.front())) {
    ::execv(path.c_str(), words.data());
    if (errno != EACCES && errno != ENOENT && errno != ENOTDIR) return errno;
    denied = denied || errno == EACCES;
  }
  return denied ? EACCES : ENOENT;
}

int Become(std::vector<std::string> command, const Streams& streams) {
  const int error = Execute(command);
  const std::string why = error == ENOEXEC ? "it is not a program or a script that begins with #!"
                                           : std::generic_category().message(error);
  streams.error << "ggufgate: cannot run " << EscapeText(command.front()) << ": " << why << '\n';
  return error == ENOENT ? kExitNotFound : kExitCannotRun;
}

int Undecided(const RunOptions& options, const absl::Status& why, const Streams& streams) {
  const bool copy_would_do = absl::IsFailedPrecondition(why) && !options.seal;
  streams.error
      << "undecided  " << EscapeText(options.model) << ": "
      << EscapeText(std::string(why.message()))
      << (copy_would_do
              ? "; use --seal to run a copy in memory (it needs as much memory as the file)\n"
              : "\n");
  return kExitUndecided;
}

// Rehearse has the loader run the pinned model in the sandbox. It returns kExitAccept if the model
// runs there; otherwise it prints the outcome.
int Rehearse(const RunOptions& options, const PinnedFile& model, const FoundLoader& loader,
             const Streams& streams) {
  std::vector<Input> shards;
  absl::StatusOr<Input> input = Input::Open(model.path());
  if (!input.ok()) return Undecided(options, input.status(), streams);
  shards.push_back(*std::move(input));
  RehearsedModel rehearsed{.path = options.model, .verdict = kExitAccept};
  rehearsed.rehearsal = RehearseFiles({.shards = shards}, loader, {}, rehearsed.front_bytes);
  const int code = CodeOf(rehearsed, /*accepts_refusal=*/false);
  if (code != kExitAccept) {
    PrintAsText({.path = loader.path, .sha256 = loader.sha256}, {rehearsed}, streams);
  }
  return code;
}

int Run(const RunOptions& options, const Streams& streams) {
  const std::string fault = FaultOfCommand(options.command, "ggufgate run MODEL -- COMMAND {}");
  if (!fault.empty()) {
    streams.error << "ggufgate: " << fault << '\n';
    return kExitUndecided;
  }
  if (options.check.quiet && options.check.verbose) {
    return WrongUsage("run", kQuietAndVerbose, streams);
  }
  std::optional<FoundLoader> loader;
  if (!options.rehearsal_loader.empty()) {
    absl::StatusOr<FoundLoader> found = FindLoader(options.rehearsal_loader, /*is_program=*/false);
    if (!found.ok()) return ComplainOf(options.rehearsal_loader, found.status(), streams);
    loader = *std::move(found);
  }
  const absl::StatusOr<PinnedFile> model =
      options.seal ? PinnedFile::ByCopy(options.model) : PinnedFile::ByLease(options.model);
  if (!model.ok()) return Undecided(options, model.status(), streams);
  const FoundFiles read{.files = {model->path()}, .searched = {false}};
  const FoundFiles told{.files = {options.model}, .searched = {false}};
  // Standard output belongs to the command.
  const Streams report{.out = streams.error,
                       .error = streams.error,
                       .colour = streams.error_colour,
                       .error_colour = streams.error_colour,
                       .progress = streams.progress,
                       .columns = streams.error_columns,
                       .error_columns = streams.error_columns};
  CheckOptions check = options.check;
  check.rehearsal_follows = loader.has_value();
  if (const int code = CheckFiles(read, told, check, report); code != kExitAccept) {
    return code;
  }
  if (loader) {
    if (const int code = Rehearse(options, *model, *loader, report); code != kExitAccept) {
      return code;
    }
  }
  streams.error.flush();
  if (const absl::Status handed = model->HandOver(); !handed.ok()) {
    return Undecided(options, handed, streams);
  }
  return Become(WithModel(options.command, model->path()), streams);
}

}  // namespace

void AddRunCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<RunOptions>();
  Command command = app.AddSubcommand(
      "run",
      "check a model, then run a loader on the same bytes\nIf the model is accepted, COMMAND "
      "replaces ggufgate in the same process, with the same standard input and output. {} in its "
      "arguments becomes /proc/self/fd/N, the open file that was checked. Nobody can change that "
      "file while COMMAND runs. If a program opens the file for writing, that program "
      "waits until the kernel has killed COMMAND.\nThe report goes to standard error.");
  command.Footer(kRunFooter);
  command
      .AddOption("MODEL", options->model,
                 "The model: a regular file. Without --seal, you must own it or have CAP_LEASE.")
      .Required()
      .NotEmpty();
  command
      .AddOption("COMMAND", options->command,
                 "The loader and its arguments, after --, with {} for the model.")
      .ShownAs("-- COMMAND")
      .Required();
  AddCheckOptions(command, options->check);
  command.AddFlag(
      "--seal", options->seal,
      "Check and run a copy in memory that nobody can change. Use it for files that others own or "
      "have open, and for file systems without leases. The copy needs as much memory as the file.");
  command
      .AddOption("--rehearse", options->rehearsal_loader,
                 "After the check, run the model in a sandbox with this library (any libllama.so), "
                 "without its weights. COMMAND is run only if the model runs there. See "
                 "'ggufgate rehearse --help'.")
      .ShownAs("LIBLLAMA")
      .NotEmpty();
  command.OnChosen(
      [options, &streams, &run] { run = [options, &streams] { return Run(*options, streams); }; });
}

}  // namespace ggufgate

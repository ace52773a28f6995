// ggufgate rehearse: checks models, and has a third-party loader run them without their weights.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>

#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/check/remote.h"
#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/loader_command.h"
#include "cli/policy.h"
#include "cli/rehearse/rehearsal_report.h"
#include "cli/usage/suggest.h"
#include "gate/judge_options.h"
#include "gate/reading/digest.h"
#include "gate/reading/input.h"
#include "rehearse/rehearse.h"
#include "rehearse/stand_in.h"
#include "remote/address.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

constexpr std::string_view kRehearseFooter = R"(EXIT STATUS
    0  every model is accepted by the rules, and the loader ran it
    1  a model is rejected, or the loader refused it, crashed, hung or used too
       much memory
    2  undecided: a model could not be read or rehearsed, or the command was
       wrong

EXAMPLES
    ggufgate rehearse model.gguf --loader /opt/llama/lib/libllama.so
        Does this build of llama.cpp load and run the model?
    ggufgate rehearse --format json --stage load *.gguf --loader ./libllama.so
        Does it load these models? The answer is for a program.
    ggufgate rehearse model.gguf -- llama-bench -m {} -p 8 -n 1 -ctk q8_0
        Does this program run it with these settings?
)";

// A prompt of many tokens fills a batch. Its time is proportional to the number of tokens, which is
// too long for the largest models.
constexpr unsigned kManyTokens = 32;
constexpr unsigned kFewTokens = 2;
constexpr std::uint64_t kSmallModel = std::uint64_t{256} << 20;  // bytes

struct RehearseOptions {
  std::vector<std::string> models;
  std::string loader;
  std::vector<std::string> command;
  std::string stage = "decode";
  std::string format = "text";
  PolicyOptions policy;
  RemoteOptions remote;
  std::uint64_t seconds = 300;
  std::uint64_t memory_mib = 4096;
  bool accepts_refusal = false;
  bool repacks = false;
  bool despite_findings = false;
};

// Judge returns the verdict of the rules on an open file. It prints the report to the error stream.
int Judge(const Input& input, const std::string& path, const RehearseOptions& options,
          const Streams& streams) {
  CheckOptions check;
  check.policy = options.policy;
  check.quiet = true;
  const FoundFiles read{.files = {"/proc/self/fd/" + std::to_string(input.descriptor())},
                        .searched = {false}};
  const FoundFiles told{.files = {path}, .searched = {false}};
  const Streams report{.out = streams.error,
                       .error = streams.error,
                       .colour = streams.error_colour,
                       .error_colour = streams.error_colour,
                       .columns = streams.error_columns,
                       .error_columns = streams.error_columns};
  return CheckFiles(read, told, check, report);
}

RehearsalStage LastStage(const std::string& word) {
  if (word == "load") return RehearsalStage::kLoad;
  return word == "context" ? RehearsalStage::kContext : RehearsalStage::kDone;
}

// RunLoader rehearses a model that the rules accept.
Rehearsal RunLoader(const Input& input, const std::string& loader, const RehearseOptions& options,
                    RehearsedModel& model) {
  const absl::StatusOr<ModelFront> front = FrontOf(input);
  if (!front.ok()) return NotRehearsed(std::string(front.status().message()));
  if (front->shards > 1) return NotRehearsed("models in several shards cannot be rehearsed yet");
  model.front_bytes = front->bytes;
  const absl::StatusOr<Descriptor> stand_in = MakeStandIn(input, *front);
  if (!stand_in.ok()) return NotRehearsed(std::string(stand_in.status().message()));
  // The stand-in holds the bytes that were checked, unless the file has changed.
  if (const absl::Status same = input.Unchanged(); !same.ok()) {
    return NotRehearsed(std::string(same.message()));
  }
  const DriverCall call{.loader = loader,
                        .last_stage = LastStage(options.stage),
                        .front_bytes = front->bytes,
                        .tokens = model.size <= kSmallModel ? kManyTokens : kFewTokens,
                        .repacks = options.repacks,
                        .command = WithModel(options.command, std::string(kStandInPath))};
  return Rehearse(call, *stand_in,
                  {.cpu_seconds = static_cast<double>(options.seconds),
                   .memory_bytes = options.memory_mib << 20});
}

// OpenModel opens file `number`. For a file on a server it opens the stand-in, so that the bytes
// that are judged are those that the loader gets.
absl::StatusOr<Input> OpenModel(const std::string& path, std::size_t number, RemoteFiles& remote) {
  if (path == "-") return Input::Spool(STDIN_FILENO, JudgeOptions{}.most_spooled);
  if (!IsRemote(path)) return Input::Open(path);
  const absl::StatusOr<Descriptor> stand_in = remote.StandIn(number, path);
  if (!stand_in.ok()) return stand_in.status();
  return Input::Open("/proc/self/fd/" + std::to_string(stand_in->get()));
}

RehearsedModel RehearseOne(std::size_t number, RemoteFiles& remote, const std::string& loader,
                           const RehearseOptions& options, const Streams& streams) {
  const std::string& path = options.models.at(number);
  RehearsedModel model{.path = path};
  const absl::StatusOr<Input> input = OpenModel(path, number, remote);
  if (!input.ok()) {
    model.rehearsal = NotRehearsed(std::string(input.status().message()));
    return model;
  }
  model.size = input->source().size();
  model.verdict = Judge(*input, path, options, streams);
  if (model.verdict == kExitUndecided) {
    model.rehearsal = NotRehearsed("the rules could not be applied");
  } else if (model.verdict == kExitReject && !options.despite_findings) {
    model.rehearsal = NotRehearsed("the rules reject it");
  } else {
    model.rehearsal = RunLoader(*input, loader, options, model);
  }
  return model;
}

// FaultOf says how the options contradict each other; empty: they do not.
std::string FaultOf(const RehearseOptions& options) {
  if (std::ranges::count(options.models, "-") > 1) {
    return "standard input (-) is given more than once; give it once";
  }
  if (options.command.empty()) {
    return options.loader.empty() ? "give a loader: --loader LIBLLAMA, or -- COMMAND {}" : "";
  }
  if (!options.loader.empty()) return "give --loader or a command after --, not both";
  if (options.stage != "decode") return "--stage is for libraries; a command runs to its end";
  return FaultOfCommand(options.command, "ggufgate rehearse MODEL... -- COMMAND {}");
}

// PathOfLoader is the file of the library or the program, without links.
absl::StatusOr<std::string> PathOfLoader(const RehearseOptions& options) {
  const bool program = !options.command.empty();
  const std::vector<std::string> places =
      program ? PathsOf(options.command.front()) : std::vector{options.loader};
  for (const std::string& place : places) {
    if (program && ::access(place.c_str(), X_OK) != 0) continue;
    std::error_code error;
    std::string path = std::filesystem::canonical(place, error).string();
    if (!error && std::filesystem::is_regular_file(path, error)) return path;
  }
  return absl::NotFoundError(program ? "there is no executable file with this name; names without "
                                       "a slash are searched in $PATH"
                                     : "the loader was not found");
}

int RunRehearse(const RehearseOptions& options, const Streams& streams) {
  if (const std::string fault = FaultOf(options); !fault.empty()) {
    return WrongUsage("rehearse", fault, streams);
  }
  const std::string& name = options.command.empty() ? options.loader : options.command.front();
  const absl::StatusOr<std::string> path = PathOfLoader(options);
  if (!path.ok()) return ComplainOf(name, path.status(), streams);
  const absl::StatusOr<Input> file = Input::Open(*path);
  if (!file.ok()) return ComplainOf(name, file.status(), streams);
  const absl::StatusOr<std::string> sha256 = Sha256Of(file->source());
  if (!sha256.ok()) return ComplainOf(name, sha256.status(), streams);

  RemoteFiles remote(options.models, options.remote, 1);
  std::vector<RehearsedModel> models;
  int code = kExitAccept;
  for (std::size_t i = 0; i < options.models.size(); ++i) {
    models.push_back(RehearseOne(i, remote, *path, options, streams));
    // After a change, the hash may not be that of the file that ran.
    if (const absl::Status same = file->Unchanged(); !same.ok()) {
      models.back().rehearsal = NotRehearsed("the loader's file changed during the run");
    }
    const int one = CodeOf(models.back(), options.accepts_refusal);
    const bool worse = code == kExitAccept || one == kExitReject;
    if (one != kExitAccept && worse) code = one;
  }
  const RehearsedLoader loader{.path = *path, .sha256 = *sha256, .command = options.command};
  if (options.format == "json") {
    PrintAsJson(loader, models, options.accepts_refusal, streams);
  } else {
    PrintAsText(loader, models, streams);
  }
  return code;
}

}  // namespace

void AddRehearseCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<RehearseOptions>();
  Command command = app.AddSubcommand(
      "rehearse",
      "run models with a loader in a sandbox, without their weights\nEach model is checked first. "
      "The library LIBLLAMA (any release of libllama.so) then loads and runs each accepted model: "
      "vocabulary, chat template, context, a prompt and a token, embeddings, state. To test a "
      "program instead, put COMMAND after --, with {} for the model. The loader gets the checked "
      "metadata, and zeros instead of the weights, so a model of any size needs little memory. It "
      "runs in a separate process that can only read libraries, and cannot start other "
      "processes.\nFindings of the rules go to standard error.");
  command.Footer(kRehearseFooter);
  command
      .AddOption("MODEL", options->models,
                 "Models: files, addresses (https://, hf://), or - for standard input, which is "
                 "stored in memory. For a file on a server, only its front part is fetched.")
      .Required()
      .NotEmpty();
  command
      .AddOption("--loader", options->loader,
                 "The loader: a shared library with llama.cpp's C API. The libraries that it needs "
                 "must be in the same folder or be system libraries.")
      .ShownAs("LIBLLAMA")
      .NotEmpty();
  command
      .AddOption("--command", options->command,
                 "Instead of --loader: a program and its arguments, with {} for the model. The "
                 "program is a full path or a name in $PATH, and not a script.")
      .OneValueEach()
      .ShownInsteadOfName("-- COMMAND {}");
  command.AddFlag("--despite-findings", options->despite_findings,
                  "Also rehearse models that the rules reject. The exit code is still 1.");
  command.AddChoice("--stage", options->stage,
                    "Stop after this stage.\n"
                    "load: load the model.\ncontext: also use the vocabulary and the chat "
                    "template, and make a context.\ndecode: all stages (default).",
                    {"load", "context", "decode"});
  command.AddFlag("--accept-refusal", options->accepts_refusal,
                  "Do not set the exit code to 1 if the loader refuses a model with an error and "
                  "without a crash.");
  command
      .AddOption("--seconds", options->seconds,
                 "The processor time that the loader may use for a model (default: 300). The limit "
                 "of real time is four times that plus ten seconds.")
      .Within(1, 86'400)
      .ShownAs("N");
  command
      .AddOption("--memory", options->memory_mib,
                 "The resident memory that the loader may use, in MiB (default: 4096).")
      .Within(16, std::uint64_t{1} << 30)
      .ShownAs("MIB");
  command.AddFlag("--repack", options->repacks,
                  "Let the loader copy weights into an order that is faster for the processor. The "
                  "copy needs as much memory as these weights.");
  command.AddChoice("-f,--format", options->format, "Print text (default) or json.",
                    {"text", "json"});
  AddRemoteOptions(command, options->remote);
  AddPolicyOptions(command, options->policy);
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunRehearse(*options, streams); };
  });
}

}  // namespace ggufgate

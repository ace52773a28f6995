// ggufgate rehearse: checks models, and has a third-party loader run them without their weights.

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <utility>

#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/check/remote.h"
#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/loader_command.h"
#include "cli/policy.h"
#include "cli/rehearse/rehearsal_report.h"
#include "cli/rehearse/rehearsing.h"
#include "cli/usage/suggest.h"
#include "gate/judge_options.h"
#include "gate/reading/input.h"
#include "gate/shards_beside.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

constexpr std::string_view kRehearseFooter = R"(EXIT STATUS
    0  every model is accepted by the rules, and the loader ran it
    1  a model is rejected, or the loader refused it, crashed, hung or took too
       much memory
    2  undecided: a model could not be read or rehearsed, or the command was
       wrong

EXAMPLES
    ggufgate rehearse model.gguf --loader /opt/llama/lib/libllama.so
        Does the build of llama.cpp that is in use load and run this model?
    ggufgate rehearse --format json --stage load *.gguf --loader ./libllama.so
        The same of many, as far as they are loaded, for a program.
    ggufgate rehearse model.gguf -- llama-bench -m {} -p 8 -n 1 -ctk q8_0
        Does this program, with these settings?
)";

struct RehearseOptions {
  std::vector<std::string> models;
  std::string loader;
  std::vector<std::string> command;
  std::string stage = "decode";
  std::string format = "text";
  PolicyOptions policy;
  RemoteOptions remote;
  std::uint64_t seconds = RehearsalSettings{}.seconds;
  std::uint64_t memory_mib = RehearsalSettings{}.memory_mib;
  bool accepts_refusal = false;
  bool repacks = false;
  bool despite_findings = false;
};

RehearsalStage LastStage(const std::string& word) {
  if (word == "load") return RehearsalStage::kLoad;
  return word == "context" ? RehearsalStage::kContext : RehearsalStage::kDone;
}

RehearsalSettings SettingsOf(const RehearseOptions& options) {
  return {.command = options.command,
          .last_stage = LastStage(options.stage),
          .seconds = options.seconds,
          .memory_mib = options.memory_mib,
          .repacks = options.repacks};
}

// Models are the files of a run.
class Models {
 public:
  // A first shard adds the others of its set.
  explicit Models(const RehearseOptions& options) {
    for (const std::string& path : options.models) {
      FoundFiles found{.files = {path}, .searched = {false}};
      FindShardsBeside({}, found);
      FindRemoteShards(found);
      if (found.files.empty()) found = {.files = {path}, .searched = {false}};  // a wrong address
      begins_.push_back(files_.size());
      std::ranges::move(found.files, std::back_inserter(files_));
    }
    begins_.push_back(files_.size());
    remote_.emplace(files_, options.remote, 1);
  }

  // FilesOf returns the files of a model: one, or all shards that exist.
  [[nodiscard]] std::span<const std::string> FilesOf(std::size_t model) const {
    const std::size_t begin = begins_.at(model);
    return std::span(files_).subspan(begin, begins_.at(model + 1) - begin);
  }

  // Open opens the files of a model. For a file on a server it opens the stand-in, so that the
  // bytes that are judged are those that the loader gets.
  absl::StatusOr<std::vector<Input>> Open(std::size_t model) {
    std::vector<Input> inputs;
    for (std::size_t i = begins_.at(model); i < begins_.at(model + 1); ++i) {
      absl::StatusOr<Input> input = OpenFile(i);
      if (!input.ok()) return input.status();
      inputs.push_back(*std::move(input));
    }
    return inputs;
  }

 private:
  absl::StatusOr<Input> OpenFile(std::size_t file) {
    const std::string& path = files_.at(file);
    if (path == "-") return Input::Spool(STDIN_FILENO, JudgeOptions{}.most_spooled);
    if (!IsRemote(path)) return Input::Open(path);
    const absl::StatusOr<Descriptor> stand_in = remote_->StandIn(file, path);
    if (!stand_in.ok()) return stand_in.status();
    return Input::Open("/proc/self/fd/" + std::to_string(stand_in->get()));
  }

  std::vector<std::string> files_;
  std::vector<std::size_t> begins_;  // per model, and the end
  std::optional<RemoteFiles> remote_;
};

// Judge returns the verdict of the rules on open files. It prints the report to the error stream.
int Judge(std::span<const Input> inputs, std::span<const std::string> paths,
          const RehearseOptions& options, const Streams& streams) {
  CheckOptions check;
  check.policy = options.policy;
  check.quiet = true;
  const std::vector<bool> searched(inputs.size(), inputs.size() > 1);  // shards are judged together
  FoundFiles read{.files = {}, .searched = searched};
  for (const Input& input : inputs) {
    read.files.push_back("/proc/self/fd/" + std::to_string(input.descriptor()));
  }
  const FoundFiles told{.files = {paths.begin(), paths.end()}, .searched = searched};
  const Streams report{.out = streams.error,
                       .error = streams.error,
                       .colour = streams.error_colour,
                       .error_colour = streams.error_colour,
                       .columns = streams.error_columns,
                       .error_columns = streams.error_columns};
  return CheckFiles(read, told, check, report);
}

RehearsedModel RehearseOne(std::size_t number, Models& models, const FoundLoader& loader,
                           const RehearseOptions& options, const Streams& streams) {
  RehearsedModel model{.path = options.models.at(number)};
  const absl::StatusOr<std::vector<Input>> inputs = models.Open(number);
  if (!inputs.ok()) {
    model.rehearsal = NotRehearsed(std::string(inputs.status().message()));
    return model;
  }
  model.size = SizeOf(*inputs).value_or(UINT64_MAX);
  model.shards = inputs->size();
  model.verdict = Judge(*inputs, models.FilesOf(number), options, streams);
  if (model.verdict == kExitUndecided) {
    model.rehearsal = NotRehearsed("the rules could not be applied");
  } else if (model.verdict == kExitReject && !options.despite_findings) {
    model.rehearsal = NotRehearsed("the rules reject it");
  } else {
    model.rehearsal = RehearseShards(*inputs, loader, SettingsOf(options), model.front_bytes);
  }
  return model;
}

// FaultOf says how the options contradict each other; empty: they do not.
std::string FaultOf(const RehearseOptions& options) {
  if (std::ranges::count(options.models, "-") > 1) {
    return "standard input (-) is given more than once";
  }
  if (options.command.empty()) {
    return options.loader.empty() ? "give a loader: --loader LIBLLAMA, or -- COMMAND {}" : "";
  }
  if (!options.loader.empty()) return "give --loader or a command behind --, not both";
  if (options.stage != "decode") return "--stage is for libraries; a command does all it does";
  return FaultOfCommand(options.command, "ggufgate rehearse MODEL... -- COMMAND {}");
}

int RunRehearse(const RehearseOptions& options, const Streams& streams) {
  if (const std::string fault = FaultOf(options); !fault.empty()) {
    return WrongUsage("rehearse", fault, streams);
  }
  const std::string& name = options.command.empty() ? options.loader : options.command.front();
  const absl::StatusOr<FoundLoader> loader = FindLoader(name, !options.command.empty());
  if (!loader.ok()) return ComplainOf(name, loader.status(), streams);

  Models files(options);
  std::vector<RehearsedModel> models;
  int code = kExitAccept;
  for (std::size_t i = 0; i < options.models.size(); ++i) {
    models.push_back(RehearseOne(i, files, *loader, options, streams));
    const int one = CodeOf(models.back(), options.accepts_refusal);
    const bool worse = code == kExitAccept || one == kExitReject;
    if (one != kExitAccept && worse) code = one;
  }
  const RehearsedLoader by{
      .path = loader->path, .sha256 = loader->sha256, .command = options.command};
  if (options.format == "json") {
    PrintAsJson(by, models, options.accepts_refusal, streams);
  } else {
    PrintAsText(by, models, streams);
  }
  return code;
}

}  // namespace

void AddRehearseCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<RehearseOptions>();
  Command command = app.AddSubcommand(
      "rehearse",
      "have a loader run models in a sandbox, without their weights\n"
      "Each model is judged first. An accepted one is loaded and run by the library LIBLLAMA, any "
      "release of libllama.so: vocabulary, chat template, context, a prompt and a token, "
      "embeddings, state. Or it is given to a program: put COMMAND behind --, with {} for the "
      "model. The loader gets the judged metadata and zeros instead of the weights, so that a "
      "model of any size takes little memory. It runs in a separate process that can read "
      "libraries and nothing else, and start no other.\n"
      "Findings of the rules go to standard error.");
  command.Footer(kRehearseFooter);
  command
      .AddOption(
          "MODEL", options->models,
          "Models: files, addresses (https://, hf://), or - for standard input, which is "
          "taken into memory. Of a file on a server, only the front is fetched. A first shard "
          "adds the other shards of its set.")
      .Required()
      .NotEmpty();
  command
      .AddOption("--loader", options->loader,
                 "The loader: a shared library with llama.cpp's C API. The libraries that it needs "
                 "are in the same folder or among the system's.")
      .ShownAs("LIBLLAMA")
      .NotEmpty();
  command
      .AddOption("--command", options->command,
                 "Instead of --loader: a program and its arguments, with {} for the model. It may "
                 "be a full path or a name in $PATH, and no script.")
      .OneValueEach()
      .ShownInsteadOfName("-- COMMAND {}");
  command.AddFlag("--despite-findings", options->despite_findings,
                  "Rehearse models that the rules reject, too. The exit code stays 1.");
  command.AddChoice("--stage", options->stage,
                    "Stop after this stage.\n"
                    "load: the model was loaded.\n"
                    "context: vocabulary and chat template were used, and a context was made.\n"
                    "decode: all (default).",
                    {"load", "context", "decode"});
  command.AddFlag("--accept-refusal", options->accepts_refusal,
                  "A model that the loader refuses, with an error and without a crash, does not "
                  "make the exit code 1.");
  command
      .AddOption("--seconds", options->seconds,
                 "The processor time that the loader may take for a model (default: 300). By the "
                 "clock it may take four times that and ten seconds.")
      .Within(1, 86'400)
      .ShownAs("N");
  command
      .AddOption("--memory", options->memory_mib,
                 "The resident memory that the loader may take, in MiB (default: 4096).")
      .Within(16, std::uint64_t{1} << 30)
      .ShownAs("MIB");
  command.AddFlag("--repack", options->repacks,
                  "Let the loader copy weights into an order that the processor likes. It takes as "
                  "much memory as the weights it copies.");
  command.AddChoice("-f,--format", options->format, "Print text (default) or json.",
                    {"text", "json"});
  AddRemoteOptions(command, options->remote);
  AddPolicyOptions(command, options->policy);
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunRehearse(*options, streams); };
  });
}

}  // namespace ggufgate

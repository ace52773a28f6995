// ggufgate rehearse: checks models, and has a third-party loader run them without their weights.

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/check/files.h"
#include "cli/check/options.h"
#include "cli/check/remote.h"
#include "cli/command_line.h"
#include "cli/judged_file.h"
#include "cli/loader_command.h"
#include "cli/policy.h"
#include "cli/rehearse/models.h"
#include "cli/rehearse/rehearsal_report.h"
#include "cli/rehearse/rehearsing.h"
#include "cli/usage/suggest.h"
#include "gate/reading/input.h"
#include "remote/address.h"

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
        Does the library load these models? The report is JSON.
    ggufgate rehearse model.gguf --lora adapter.gguf --loader ./libllama.so
        Does it run the model with this adapter?
    ggufgate rehearse model.gguf -- llama-bench -m {} -p 8 -n 1 -ctk q8_0
        Does this program run it with these settings?
)";

struct RehearseOptions {
  std::vector<std::string> models;
  std::vector<std::string> adapters;
  std::string loader;
  std::vector<std::string> command;
  std::string stage = "embeddings";
  std::string data = "zeros";
  std::string format = "text";
  PolicyOptions policy;
  RemoteOptions remote;
  std::uint64_t seconds = RehearsalSettings{}.seconds;
  std::uint64_t memory_mib = RehearsalSettings{}.memory_mib;
  bool accepts_refusal = false;
  bool repacks = false;
  bool despite_findings = false;
};

RehearsalSettings SettingsOf(const RehearseOptions& options) {
  return {.command = options.command,
          .last_stage = StageCalled(options.stage).value_or(RehearsalStage::kDone),
          .seconds = options.seconds,
          .memory_mib = options.memory_mib,
          .repacks = options.repacks,
          .real_data = options.data == "real"};
}

// Judge returns the verdict of the rules on open files. It prints the report to the error stream.
int Judge(std::span<const Input> inputs, std::span<const std::string> paths,
          const RehearseOptions& options, const Streams& streams) {
  CheckOptions check;
  check.policy = options.policy;
  check.quiet = true;
  check.rehearsal_follows = true;
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

// Adapters are the open LoRA adapters of a run.
struct Adapters {
  std::vector<Input> inputs = {};
  std::vector<RehearsedAdapter> reports = {};
  int verdict = kExitAccept;  // the worst of all
  std::string problem = {};   // why there are no rehearsals with them; empty: there are
};

// OpenAdapters opens and judges the adapters, which are the last of `files`.
Adapters OpenAdapters(Models& files, const RehearseOptions& options, const Streams& streams) {
  Adapters adapters;
  for (std::size_t i = files.size() - options.adapters.size(); i < files.size(); ++i) {
    RehearsedAdapter& report = adapters.reports.emplace_back(files.NameOf(i));
    absl::StatusOr<std::vector<Input>> opened = files.Open(i);
    if (!opened.ok()) {
      adapters.problem = absl::StrCat(report.path, ": ", opened.status().message());
    } else {
      report.verdict = Judge(*opened, files.FilesOf(i), options, streams);
      std::ranges::move(*opened, std::back_inserter(adapters.inputs));
    }
    adapters.verdict = WorseCode(adapters.verdict, report.verdict);
  }
  if (!adapters.problem.empty()) return adapters;
  if (adapters.verdict == kExitUndecided) {
    adapters.problem = "the rules could not be applied to an adapter";
  } else if (adapters.verdict == kExitReject && !options.despite_findings) {
    adapters.problem = "the rules reject an adapter";
  }
  return adapters;
}

RehearsedModel RehearseOne(std::size_t number, Models& models, const Adapters& adapters,
                           const FoundLoader& loader, const RehearseOptions& options,
                           const Streams& streams) {
  RehearsedModel model{.path = models.NameOf(number), .adapters_verdict = adapters.verdict};
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
  } else if (!adapters.problem.empty()) {
    model.rehearsal = NotRehearsed(adapters.problem);
  } else {
    model.rehearsal = RehearseFiles({.shards = *inputs, .adapters = adapters.inputs}, loader,
                                    SettingsOf(options), model.front_bytes);
  }
  if (model.rehearsal.outcome == RehearsalOutcome::kCrashes &&
      model.rehearsal.stage == RehearsalStage::kEmbeddings) {
    model.rehearsal.notes.emplace_back(
        "a server that gives no embeddings may run it: try --stage decode");
  }
  return model;
}

// FaultOf says how the options contradict each other; empty: they do not.
std::string FaultOf(const RehearseOptions& options) {
  if (std::ranges::count(options.models, "-") + std::ranges::count(options.adapters, "-") > 1) {
    return "standard input (-) is given more than once; give it once";
  }
  if (std::ranges::any_of(options.adapters, IsFolder)) return "--lora takes a file, not a folder";
  if (options.data == "real" && (std::ranges::any_of(options.models, IsRemote) ||
                                 std::ranges::any_of(options.adapters, IsRemote))) {
    return "--data real needs the weights, and only the front part of a file on a server is "
           "fetched: download the file";
  }
  if (options.command.empty()) {
    return options.loader.empty() ? "give a loader: --loader LIBLLAMA, or -- COMMAND {}" : "";
  }
  if (!options.loader.empty()) return "give --loader or a command after --, not both";
  if (!options.adapters.empty()) return "--lora is for libraries; a command gets one file";
  if (options.stage != "embeddings") return "--stage is for libraries; a command runs to its end";
  return FaultOfCommand(options.command, "ggufgate rehearse MODEL... -- COMMAND {}");
}

int RunRehearse(const RehearseOptions& options, const Streams& streams) {
  if (const std::string fault = FaultOf(options); !fault.empty()) {
    return WrongUsage("rehearse", fault, streams);
  }
  const std::string& name = options.command.empty() ? options.loader : options.command.front();
  const absl::StatusOr<FoundLoader> loader = FindLoader(name, !options.command.empty());
  if (!loader.ok()) return ComplainOf(name, loader.status(), streams);

  std::vector<std::string> paths = options.models;
  paths.insert(paths.end(), options.adapters.begin(), options.adapters.end());
  Models files(paths, options.remote);
  const Adapters adapters = OpenAdapters(files, options, streams);
  std::vector<RehearsedModel> models;
  int code = kExitAccept;
  for (std::size_t i = 0; i < files.size() - options.adapters.size(); ++i) {
    models.push_back(RehearseOne(i, files, adapters, *loader, options, streams));
    code = WorseCode(code, CodeOf(models.back(), options.accepts_refusal));
  }
  const RehearsedLoader by{.path = loader->path,
                           .sha256 = loader->sha256,
                           .command = options.command,
                           .real_data = options.data == "real",
                           .adapters = adapters.reports};
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
      "run models with a loader in a sandbox, without their weights\nEach model is checked first. "
      "The library LIBLLAMA (any release of libllama.so) then loads and runs each accepted model: "
      "vocabulary, chat template, context, a prompt and a token, embeddings, state. To test a "
      "program instead, put COMMAND after --, with {} for the model. The loader gets the checked "
      "metadata, and zeros instead of the weights, so a model of any size needs little memory. The "
      "loader runs in a separate process. This process can read only libraries and some system "
      "files, and cannot start processes.\nFindings of the rules go to standard error.");
  command.Footer(kRehearseFooter);
  command
      .AddOption(
          "MODEL", options->models,
          "Models: files, folders, addresses (https://, hf://), or - for standard input, which is "
          "stored in memory. Of a file on a server, only the front part is fetched. The "
          "first shard of a set adds the others. In a folder, each GGUF file is a model.")
      .Required()
      .NotEmpty();
  command
      .AddOption("--loader", options->loader,
                 "The loader: a shared library with llama.cpp's C API. The libraries that it needs "
                 "must be in the same folder or be system libraries.")
      .ShownAs("LIBLLAMA")
      .NotEmpty();
  command
      .AddOption("--lora", options->adapters,
                 "A LoRA adapter, checked like the models: the loader adds it to each of them. "
                 "Repeat the option for more (at most 16).")
      .OneValueEach()
      .ShownAs("ADAPTER")
      .NotEmpty();
  command
      .AddOption("--command", options->command,
                 "Instead of --loader: a program and its arguments, with {} for the model. The "
                 "program is a full path or a name in $PATH, and not a script.")
      .OneValueEach()
      .ShownInsteadOfName("-- COMMAND {}");
  command.AddFlag("--despite-findings", options->despite_findings,
                  "Also rehearse models that the rules reject. The exit code is still 1.");
  command.AddChoice(
      "--stage", options->stage,
      "Run the stages up to this point.\nload: load the model.\n"
      "context: also use the vocabulary and the chat template, and make a context.\n"
      "decode: also process a prompt and a token, and save and restore the state.\n"
      "embeddings: run all stages (default). Some loaders crash here on models that can chat.",
      {"load", "context", "decode", "embeddings"});
  command.AddChoice(
      "--data", options->data,
      "The data of the tensors.\nzeros: zeros, which take no memory (default).\n"
      "real: the model's own data, which the loader reads through a mapping. Files on "
      "servers have none here.",
      {"zeros", "real"});
  command.AddFlag("--accept-refusal", options->accepts_refusal,
                  "Do not set the exit code to 1 if the loader refuses a model with an error and "
                  "without a crash.");
  command
      .AddOption("--seconds", options->seconds,
                 "The processor time that the loader may use for a model (default: 300). The limit "
                 "of elapsed time is four times that plus ten seconds.")
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

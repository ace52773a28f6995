#include "cli/check/files.h"
#include "gate/judge.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <thread>

#include "cli/check/contracts.h"
#include "cli/check/rehearsals.h"
#include "cli/check/remote.h"
#include "cli/check/report.h"
#include "cli/check/run_facts.h"
#include "cli/into_file.h"
#include "gate/processes/check_plan.h"
#include "gate/processes/second_opinion.h"
#include "gate/processes/worker_processes.h"
#include "parse/model.h"
#include "remote/address.h"
#include "report/reporter.h"
#include "report/terminal/progress.h"
#include "stores/named_digests.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

const std::map<std::string, Severity> kFailOn = {
    {"error", Severity::kError}, {"warning", Severity::kWarning}, {"note", Severity::kNote}};

// IndexOf returns the index of a word in the list, which must contain it.
std::ptrdiff_t IndexOf(const std::string& word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) - words.begin();
}

// The command line has priority over the policy file.
JudgeOptions JudgeOptionsFor(const CheckOptions& options, const Policy& policy) {
  JudgeOptions judge;
  judge.policy = policy;
  if (!options.fail_on.empty()) judge.policy.fail_on = kFailOn.at(options.fail_on);
  if (!options.data.empty())
    judge.policy.data = static_cast<DataScan>(IndexOf(options.data, kDataScanWords));
  judge.policy.rehearsal_follows = options.rehearsal_follows || !options.rehearsal_loader.empty();
  judge.sha256 = options.sha256;
  if (options.total_size != 0) judge.total_size = options.total_size;
  if (options.pass_through) judge.pass_to = STDOUT_FILENO;
  return judge;
}

// VerifiesDigests tells whether files are compared with the SHA-256 in their names.
bool VerifiesDigests(const CheckOptions& options, const Policy& policy) {
  return options.verify_digest || policy.data == DataScan::kFull;
}

unsigned JobsFor(const CheckOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

// BytesOf returns the total size of the files, or 0 if a file has no size, like a pipe.
std::uint64_t BytesOf(const std::vector<std::string>& files) {
  std::uint64_t bytes = 0;
  for (const std::string& file : files) {
    std::error_code error;
    const std::uint64_t size = std::filesystem::file_size(file, error);
    if (error) return 0;
    bytes += size;
  }
  return bytes;
}

// ProgressFor makes the progress line for a terminal, else it returns null. It must be called
// before the process is confined, because a confined process cannot query the size of a file.
std::unique_ptr<ProgressLine> ProgressFor(const FoundFiles& found, const CheckOptions& options,
                                          const Streams& streams) {
  if (!streams.progress || options.quiet || options.pass_through) return nullptr;
  return std::make_unique<ProgressLine>(
      ProgressLine::Totals{.bytes = BytesOf(found.files), .files = found.files.size()},
      streams.error_columns, streams.error);
}

// SaysWhatRan tells whether a format has a place for the facts of the run.
bool SaysWhatRan(const std::string& format) {
  return format == "json" || format == "sarif" || format == "html";
}

// InProcesses does the same as GuardedAndConfined(), in several processes with different rights.
int InProcesses(const WorkerProcesses& processes, const Streams& streams) {
  streams.out.flush();  // otherwise a child would write it again
  const absl::StatusOr<int> code = RunInProcesses(processes);
  if (code.ok()) return *code;
  streams.error << "ggufgate: undecided: " << code.status().message() << '\n';
  return kExitUndecided;
}

// Texts of files that the user names. They are untrusted, so each confined process parses them.
struct Texts {
  std::string policy;
  std::string contracts;
};

// ReadTexts returns nullopt if a file cannot be read.
std::optional<Texts> ReadTexts(const CheckOptions& options, const Streams& streams) {
  std::optional<std::string> policy = PolicyText(options.policy, streams);
  std::optional<std::string> contracts = ContractsText(options.contracts, streams);
  if (!policy || !contracts) return std::nullopt;
  return Texts{.policy = *std::move(policy), .contracts = *std::move(contracts)};
}

// AddLoadersOf adds the loaders of the options to those of the policy. It returns false, and prints
// why, if the contracts of a file cannot be used.
bool AddLoadersOf(const CheckOptions& options, const Texts& texts, Policy& policy,
                  const Streams& streams) {
  std::ostream nowhere(nullptr);
  AddLoaders(options.loaders, policy, options.quiet ? Streams{nowhere, nowhere} : streams);
  if (!options.contracts.empty()) {
    std::shared_ptr<const ContractTable> contracts =
        ContractsIn(texts.contracts, options.contracts, streams);
    if (contracts == nullptr) return false;
    for (const auto& loader : policy.loaders) {
      if (loader->release() != contracts->release()) continue;
      streams.error << "ggufgate: " << EscapeText(options.contracts) << " has contracts of "
                    << EscapeText(loader->release())
                    << ", and so does a loader; name one of them\n";
      return false;
    }
    policy.loaders.push_back(std::move(contracts));
  }
  if (options.all_loaders) AddAllLoaders(policy);
  return HasJudgingProfile(policy, streams);
}

// OptionsIn returns nullopt if a text is invalid, and prints why.
std::optional<JudgeOptions> OptionsIn(const Texts& texts, const CheckOptions& options,
                                      const Streams& streams) {
  const std::optional<Policy> policy = PolicyIn(texts.policy, options.policy, streams);
  if (!policy) return std::nullopt;
  JudgeOptions judge = JudgeOptionsFor(options, *policy);
  if (!AddLoadersOf(options, texts, judge.policy, streams)) return std::nullopt;
  return judge;
}

// Workers and witnesses print no errors, because the printer reports them. The witness does not use
// contracts.
std::optional<JudgeOptions> OptionsOfWorker(const Texts& texts, const CheckOptions& options) {
  std::ostream nowhere(nullptr);
  return OptionsIn(texts, options, {.out = nowhere, .error = nowhere});
}

std::optional<Policy> PolicyOfWitness(const Texts& texts, const CheckOptions& options) {
  std::ostream nowhere(nullptr);
  const Streams silent{.out = nowhere, .error = nowhere};
  const std::optional<Policy> policy = PolicyIn(texts.policy, options.policy, silent);
  if (!policy) return std::nullopt;
  return JudgeOptionsFor(options, *policy).policy;
}

// Judged lists the files, with facts that are known before they are read.
struct Judged {
  const FoundFiles& files;
  const ModelStores& stores;
  const NamedDigests& named;
  RemoteFiles& remote;
};

// PolicyOf returns the policy for a file. A file in a store of Ollama is judged as Ollama loads it.
Policy PolicyOf(const Judged& all, std::size_t file, Policy policy) {
  policy.for_ollama = all.stores.IsOfOllama(file);
  return policy;
}

// JudgeFile checks a file. If digests are requested, it also computes the digest of a file whose
// name is one.
FileReport JudgeFile(const Judged& all, std::size_t file, const CheckOptions& options,
                     const JudgeOptions& by) {
  const std::string& path = all.files.files.at(file);
  JudgeOptions of_file = by;
  of_file.policy = PolicyOf(all, file, by.policy);
  const bool named = all.stores.HasFile(file) || all.named.Has(file);
  of_file.sha256 = by.sha256 || (named && VerifiesDigests(options, by.policy));
  if (all.remote.Has(file)) return all.remote.Judge(file, path, of_file);
  return all.stores.IsPlainBlob(file) ? JudgeBlob(path, of_file) : JudgePath(path, of_file);
}

// AskOf gets the witness's opinion on a file, except for a blob that is not a model.
Opinion AskOf(const Judged& all, std::size_t file, SecondOpinion wanted, const Policy& policy) {
  if (all.remote.Has(file)) return all.remote.Ask(file, wanted, policy);
  if (all.stores.IsPlainBlob(file)) return {};
  return AskWitness(all.files.files.at(file), wanted, PolicyOf(all, file, policy));
}

// PlanFor makes the plan of the command line.
CheckPlan PlanFor(const Judged& all, const CheckOptions& options, const Texts& texts,
                  bool tells_progress) {
  CheckPlan plan;
  plan.files = all.files.files;
  std::ranges::copy_if(plan.files, std::back_inserter(plan.readable),
                       [](const std::string& path) { return !IsRemote(path); });
  plan.jobs = JobsFor(options);
  plan.second_opinion =
      static_cast<SecondOpinion>(IndexOf(options.second_opinion, kSecondOpinionWords));
  plan.pass_through = options.pass_through;
  plan.tells_progress = tells_progress;
  plan.options = [&options, &texts] { return OptionsOfWorker(texts, options); };
  plan.policy = [&options, &texts] { return PolicyOfWitness(texts, options); };
  plan.judge = [&all, &options](std::size_t file, const JudgeOptions& by) {
    return JudgeFile(all, file, options, by);
  };
  plan.ask = [&all, wanted = plan.second_opinion](std::size_t file, const Policy& policy) {
    return AskOf(all, file, wanted, policy);
  };
  return plan;
}

// RehearsalsFor starts the process for rehearsals. It returns null if none are requested.
absl::StatusOr<std::unique_ptr<Rehearsals>> RehearsalsFor(const FoundFiles& read,
                                                          const CheckOptions& options) {
  if (options.rehearsal_loader.empty()) return nullptr;
  absl::StatusOr<FoundLoader> loader = FindLoader(options.rehearsal_loader, /*is_program=*/false);
  if (!loader.ok()) return loader.status();
  return Rehearsals::Start(read.files, *std::move(loader));
}

// KeptFiles adds the loader and the contracts to the files that --output must not replace.
std::vector<std::string> KeptFiles(std::vector<std::string> files, const CheckOptions& options) {
  if (!options.contracts.empty()) files.push_back(options.contracts);
  if (!options.rehearsal_loader.empty()) files.push_back(options.rehearsal_loader);
  return files;
}

// Telling holds the input of a printer besides the frames.
struct Telling {
  const FoundFiles& told;
  const KnownByName told_by;
  const CheckOptions& options;
  const Texts& texts;
  const RunFacts& facts;
  Rehearsals* rehearsals;
  ProgressLine* progress;
  const Streams& streams;
};

// Arriving returns the frames of workers and witness while the printer runs.
struct Arriving {
  FrameSource reports;
  FrameSource opinions;
};

// Print runs in the printer. It returns nullopt if the policy or the contracts are invalid.
std::optional<int> Print(const Telling& telling, const Arriving& arriving, const Streams& to) {
  const CheckOptions& options = telling.options;
  const std::optional<JudgeOptions> judge = OptionsIn(telling.texts, options, telling.streams);
  if (!judge) return std::nullopt;
  const Policy& by = judge->policy;
  const CheckReport how{
      .paths = options.paths,
      .format = options.all_loaders && options.format == "text" ? "loaders" : options.format,
      .style = {.colour = to.colour,
                .quiet = options.quiet,
                .verbose = options.verbose,
                .columns = to.columns,
                .run = SaysWhatRan(options.format) ? std::optional(WithPolicy(telling.facts, by))
                                                   : std::nullopt},
      .summary = options.summary,
      .into_file = options.output != "-",
      .second_opinion = options.second_opinion != "never",
      .digests = VerifiesDigests(options, by),
      .digests_wanted = options.verify_digest,
      .rehearsals = telling.rehearsals};
  return PrintFound(telling.told, telling.told_by, how, by, telling.progress, arriving.reports,
                    arriving.opinions, to);
}

// RunAndPrint runs the processes with a printer that writes to the output that the options name.
int RunAndPrint(WorkerProcesses& processes, const Telling& telling,
                const std::vector<std::string>& read) {
  const CheckOptions& options = telling.options;
  const Streams& streams = telling.streams;
  Arriving arriving;
  const auto print = [&](const Streams& to) { return Print(telling, arriving, to); };
  const Confiner apart = [&](const std::function<int()>& work, int output) {
    processes.print = [&](const FrameSource& reports, const FrameSource& opinions) {
      arriving = {.reports = reports, .opinions = opinions};
      return Guarded(work, streams);
    };
    processes.printer.descriptors = {STDERR_FILENO, output};
    if (!options.pass_through) processes.printer.descriptors->push_back(STDOUT_FILENO);
    if (telling.rehearsals != nullptr) {
      std::ranges::copy(telling.rehearsals->descriptors(),
                        std::back_inserter(*processes.printer.descriptors));
    }
    return InProcesses(processes, streams);
  };
  if (options.output != "-") {
    return ConfinedIntoFile(options.output, read, apart, print, streams);
  }
  if (options.pass_through) {
    const Streams beside{.out = streams.error,
                         .error = streams.error,
                         .colour = streams.error_colour,
                         .error_colour = streams.error_colour,
                         .columns = streams.error_columns,
                         .error_columns = streams.error_columns};
    return apart([&] { return print(beside).value_or(kExitUndecided); }, STDERR_FILENO);
  }
  return apart([&] { return print(streams).value_or(kExitUndecided); }, STDOUT_FILENO);
}

}  // namespace

int CheckFiles(const FoundFiles& read, const FoundFiles& told, const CheckOptions& options,
               const Streams& streams, const ModelStores& stores) {
  const std::optional<Texts> texts = ReadTexts(options, streams);
  if (!texts) return kExitUndecided;
  const absl::StatusOr<RunFacts> facts =
      SaysWhatRan(options.format) ? FactsBefore() : absl::StatusOr<RunFacts>(RunFacts());
  if (!facts.ok()) {
    streams.error << "ggufgate: undecided: " << facts.status().message() << '\n';
    return kExitUndecided;
  }
  // First, because it erases the token for servers from the memory that all others inherit.
  RemoteFiles remote(read.files, options.remote, options.second_opinion == "never" ? 1 : 2);
  const absl::StatusOr<std::unique_ptr<Rehearsals>> rehearsals = RehearsalsFor(read, options);
  if (!rehearsals.ok()) return ComplainOf(options.rehearsal_loader, rehearsals.status(), streams);
  const std::unique_ptr<ProgressLine> progress = ProgressFor(read, options, streams);
  const NamedDigests named(told, stores);
  const Judged all{.files = read, .stores = stores, .named = named, .remote = remote};
  const CheckPlan plan = PlanFor(all, options, *texts, progress != nullptr);
  WorkerProcesses processes = ProcessesFor(plan);
  processes.printer_tidies = progress != nullptr;
  remote.Connect(plan.jobs, processes);
  return RunAndPrint(processes,
                     {.told = told,
                      .told_by = {.stores = stores, .named = named},
                      .options = options,
                      .texts = *texts,
                      .facts = *facts,
                      .rehearsals = rehearsals->get(),
                      .progress = progress.get(),
                      .streams = streams},
                     KeptFiles(read.files, options));
}

}  // namespace ggufgate

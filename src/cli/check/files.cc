#include "cli/check/files.h"

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

#include "cli/check/remote.h"
#include "cli/check/report.h"
#include "cli/check/run_facts.h"
#include "cli/into_file.h"
#include "gate/judge_all.h"
#include "gate/processes/report_wire.h"
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

// IndexOf finds a word that CLI11 has found in the list.
std::ptrdiff_t IndexOf(const std::string& word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) - words.begin();
}

// What the command line says wins over the policy file.
JudgeOptions JudgeOptionsFor(const CheckOptions& options, const Policy& policy) {
  JudgeOptions judge;
  judge.policy = policy;
  if (!options.fail_on.empty()) judge.policy.fail_on = kFailOn.at(options.fail_on);
  if (!options.data.empty())
    judge.policy.data = static_cast<DataScan>(IndexOf(options.data, kDataScanWords));
  judge.sha256 = options.sha256;
  if (options.total_size != 0) judge.total_size = options.total_size;
  if (options.pass_through) judge.pass_to = STDOUT_FILENO;
  return judge;
}

// VerifiesDigests: files are compared with the SHA-256 that is their name.
bool VerifiesDigests(const CheckOptions& options, const Policy& policy) {
  return options.verify_digest || policy.data == DataScan::kFull;
}

unsigned JobsFor(const CheckOptions& options) {
  return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

// BytesOf is the size of all files together; 0 when one has none, like a pipe.
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

// ProgressFor makes the line for a terminal whose user waits; else nothing. Made before the process
// is confined, where nobody may ask for the size of a file.
std::unique_ptr<ProgressLine> ProgressFor(const FoundFiles& found, const CheckOptions& options,
                                          const Streams& streams) {
  if (!streams.progress || options.quiet || options.pass_through) return nullptr;
  return std::make_unique<ProgressLine>(
      ProgressLine::Totals{.bytes = BytesOf(found.files), .files = found.files.size()},
      streams.error_columns, streams.error);
}

// SaysWhatRan: the other formats have no place for it.
bool SaysWhatRan(const std::string& format) {
  return format == "json" || format == "sarif" || format == "html";
}

// InProcesses does what GuardedAndConfined() does, in processes of different rights.
int InProcesses(const WorkerProcesses& processes, const Streams& streams) {
  streams.out.flush();  // or a child would write it once more
  const absl::StatusOr<int> code = RunInProcesses(processes);
  if (code.ok()) return *code;
  streams.error << "ggufgate: undecided: " << code.status().message() << '\n';
  return kExitUndecided;
}

// PolicyInSilence: a policy that is none is the printer's to tell of.
std::optional<Policy> PolicyInSilence(const std::string& text, const CheckOptions& options) {
  std::ostream nowhere(nullptr);
  return PolicyIn(text, options.policy, {.out = nowhere, .error = nowhere});
}

// FilesToJudge are some of those that were found, of which the first is number `begin`.
struct FilesToJudge {
  std::span<const std::string> files;
  std::size_t begin;
  const ModelStores& stores;
  const NamedDigests& named;
  RemoteFiles& remote;
};

// JudgeFile also computes the digest of a file whose name is one, if digests are wanted.
FileReport JudgeFile(const FilesToJudge& all, std::size_t index, bool digests,
                     const JudgeOptions& options) {
  const std::string& path = all.files[index];
  const std::size_t file = all.begin + index;
  JudgeOptions of_file = options;
  const bool named = all.stores.HasFile(file) || all.named.Has(file);
  of_file.sha256 = options.sha256 || (digests && named);
  if (all.remote.Has(file)) return all.remote.Judge(file, path, of_file);
  return all.stores.IsPlainBlob(file) ? JudgeBlob(path, of_file) : JudgePath(path, of_file);
}

// JudgeFiles judges in a worker.
void JudgeFiles(const FilesToJudge& all, const CheckOptions& options, const Policy& policy,
                bool tell_progress, const FrameSender& send) {
  JudgeOptions judge = JudgeOptionsFor(options, policy);
  send(FrameKind::kCpuLimit, FrameOfNumber(policy.limits.cpu_seconds));
  if (tell_progress && judge.policy.data != DataScan::kNone) {
    judge.on_progress = [&send](std::uint64_t bytes) {
      send(FrameKind::kProgress, FrameOfNumber(bytes));
    };
  }
  const bool digests = VerifiesDigests(options, judge.policy);
  JudgeAll(
      std::vector<std::string>(all.files.begin(), all.files.end()),
      [&](std::size_t index, const JudgeOptions& by) { return JudgeFile(all, index, digests, by); },
      judge, JobsFor(options),
      [&](const FileReport& report) { send(FrameKind::kReport, WriteReport(report)); });
}

// AskForOpinions runs in the witness, which makes its own sense of the policy.
void AskForOpinions(const FilesToJudge& all, const CheckOptions& options,
                    const std::string& policy_text, const FrameSender& send) {
  const std::optional<Policy> policy = PolicyInSilence(policy_text, options);
  if (!policy) return;
  const auto wanted =
      static_cast<SecondOpinion>(IndexOf(options.second_opinion, kSecondOpinionWords));
  const Policy by = JudgeOptionsFor(options, *policy).policy;
  send(FrameKind::kCpuLimit, FrameOfNumber(by.limits.cpu_seconds));
  for (std::size_t i = 0; i < all.files.size(); ++i) {
    if (all.remote.Has(all.begin + i)) {
      send(FrameKind::kReport, WriteOpinion(all.remote.Ask(all.begin + i, wanted, by)));
      continue;
    }
    const bool is_model = !all.stores.IsPlainBlob(all.begin + i);
    send(FrameKind::kReport,
         WriteOpinion(is_model ? AskWitness(all.files[i], wanted, by) : Opinion()));
  }
}

// Processes says who judges and who prints, but for `print` itself. The policy file is hostile too:
// what is read of it outside is understood inside, by both.
WorkerProcesses ProcessesFor(const FoundFiles& found, const ModelStores& stores,
                             const NamedDigests& named, RemoteFiles& remote,
                             const CheckOptions& options, const std::string& policy_text,
                             bool tell_progress) {
  const auto some = [&](std::size_t begin, std::size_t end) {
    return FilesToJudge{.files = std::span(found.files).subspan(begin, end - begin),
                        .begin = begin,
                        .stores = stores,
                        .named = named,
                        .remote = remote};
  };
  WorkerProcesses processes;
  processes.files = found.files.size();
  processes.at_once = std::size_t{2} * JobsFor(options);
  processes.read_once = [&found](std::size_t file) { return found.files.at(file) == "-"; };
  processes.judge = [&, some, tell_progress](std::size_t begin, std::size_t end,
                                             const FrameSender& send) {
    const std::optional<Policy> policy = PolicyInSilence(policy_text, options);
    if (!policy) return;
    JudgeFiles(some(begin, end), options, *policy, tell_progress, send);
  };
  if (options.second_opinion != "never") {
    processes.witness = [&, some](std::size_t begin, std::size_t end, const FrameSender& send) {
      AskForOpinions(some(begin, end), options, policy_text, send);
    };
  }
  std::ranges::copy_if(found.files, std::back_inserter(processes.worker.readable),
                       [](const std::string& path) { return !IsRemote(path); });
  remote.Connect(JobsFor(options), processes);
  processes.worker.writes = options.pass_through;
  processes.worker.spools = std::ranges::find(found.files, "-") != found.files.end();
  processes.printer.reads = false;
  processes.worker.descriptors.emplace();
  if (options.pass_through) processes.worker.descriptors->push_back(STDOUT_FILENO);
  for (const std::string& file : found.files) {
    if (const std::optional<int> descriptor = DescriptorNamedBy(file)) {
      processes.worker.descriptors->push_back(*descriptor);
    }
  }
  return processes;
}

}  // namespace

int CheckFiles(const FoundFiles& read, const FoundFiles& told, const CheckOptions& options,
               const Streams& streams, const ModelStores& stores) {
  const std::optional<std::string> text = PolicyText(options.policy, streams);
  if (!text) return kExitUndecided;
  const absl::StatusOr<RunFacts> facts =
      SaysWhatRan(options.format) ? FactsBefore() : absl::StatusOr<RunFacts>(RunFacts());
  if (!facts.ok()) {
    streams.error << "ggufgate: undecided: " << facts.status().message() << '\n';
    return kExitUndecided;
  }
  const std::unique_ptr<ProgressLine> progress = ProgressFor(read, options, streams);
  RemoteFiles remote(read.files, options.remote, options.second_opinion == "never" ? 1 : 2);
  const NamedDigests named(told, stores);
  WorkerProcesses processes =
      ProcessesFor(read, stores, named, remote, options, *text, progress != nullptr);
  processes.printer_tidies = progress != nullptr;
  const FrameSource* reports = nullptr;  // there while `print` runs
  const FrameSource* opinions = nullptr;
  const auto print = [&](const Streams& to) -> std::optional<int> {
    const std::optional<Policy> policy = PolicyIn(*text, options.policy, streams);
    if (!policy) return std::nullopt;
    const Policy by = JudgeOptionsFor(options, *policy).policy;
    const CheckReport how{
        .paths = options.paths,
        .format = options.format,
        .style = {.colour = to.colour,
                  .quiet = options.quiet,
                  .verbose = options.verbose,
                  .columns = to.columns,
                  .run = SaysWhatRan(options.format) ? std::optional(WithPolicy(*facts, by))
                                                     : std::nullopt},
        .summary = options.summary,
        .into_file = options.output != "-",
        .second_opinion = options.second_opinion != "never",
        .digests = VerifiesDigests(options, by),
        .digests_wanted = options.verify_digest};
    return PrintFound(told, {.stores = stores, .named = named}, how, by, progress.get(), *reports,
                      *opinions, to);
  };
  const Confiner apart = [&](const std::function<int()>& work, int output) {
    processes.print = [&](const FrameSource& judged, const FrameSource& witnessed) {
      reports = &judged;
      opinions = &witnessed;
      return Guarded(work, streams);
    };
    processes.printer.descriptors = {STDERR_FILENO, output};
    if (!options.pass_through) processes.printer.descriptors->push_back(STDOUT_FILENO);
    return InProcesses(processes, streams);
  };
  if (options.output != "-") {
    return ConfinedIntoFile(options.output, read.files, apart, print, streams);
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

}  // namespace ggufgate

#include "cli/check/rehearsals.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/check.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"
#include "check/suppression.h"
#include "check/verdict.h"
#include "cli/rehearse/models.h"
#include "format/shard_name.h"
#include "gate/confine/parent_death.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/worker_pipe.h"
#include "gate/shard_sets.h"
#include "parse/model.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

constexpr std::size_t kNumber = sizeof(std::uint64_t);
constexpr std::size_t kMostText = 4096;

std::string_view Cut(const std::string& text) {
  return std::string_view(text).substr(0, kMostText);
}

// AnswerReader returns zeros after the first fault.
class AnswerReader {
 public:
  explicit AnswerReader(Bytes bytes) : rest_(bytes) {}

  std::uint64_t Number() {
    complete_ = complete_ && rest_.size() >= kNumber;
    if (!complete_) return 0;
    const auto number = Load<std::uint64_t>(rest_, ByteOrder::kLittle);
    rest_ = rest_.subspan(kNumber);
    return number;
  }
  std::int64_t Signed() { return std::bit_cast<std::int64_t>(Number()); }
  // Seconds are finite and not negative.
  double Seconds() {
    const auto seconds = std::bit_cast<double>(Number());
    complete_ = complete_ && seconds >= 0 && std::isfinite(seconds);
    return complete_ ? seconds : 0;
  }
  std::string Text() {
    const std::uint64_t size = Number();
    complete_ = complete_ && size <= kMostText && size <= rest_.size();
    if (!complete_) return "";
    std::string text(AsText(rest_.first(size)));
    rest_ = rest_.subspan(size);
    return text;
  }
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] bool AtEnd() const { return rest_.empty(); }

 private:
  Bytes rest_;
  bool complete_ = true;
};

}  // namespace

std::vector<std::uint8_t> AnswerOf(const RehearsedFiles& result) {
  const Rehearsal& rehearsal = result.rehearsal;
  Encoder to(ByteOrder::kLittle);
  to.Put(static_cast<std::uint64_t>(rehearsal.outcome));
  to.Put(static_cast<std::uint64_t>(rehearsal.stage));
  to.Put(rehearsal.seconds).Put(rehearsal.cpu_seconds).Put(rehearsal.peak_bytes);
  to.PutString(Cut(rehearsal.reason)).PutString(Cut(rehearsal.version));
  for (const Identity& identity : result.identities) {
    to.Put(identity.size).Put(identity.device).Put(identity.inode);
    to.Put(identity.modified_ns).Put(identity.changed_ns);
  }
  return to.Take();
}

std::optional<RehearsedFiles> AnswerIn(Bytes bytes) {
  AnswerReader from(bytes);
  RehearsedFiles result;
  Rehearsal& rehearsal = result.rehearsal;
  const std::uint64_t outcome = from.Number();
  const std::uint64_t stage = from.Number();
  rehearsal.seconds = from.Seconds();
  rehearsal.cpu_seconds = from.Seconds();
  rehearsal.peak_bytes = from.Number();
  rehearsal.reason = from.Text();
  rehearsal.version = from.Text();
  while (from.complete() && !from.AtEnd()) {
    result.identities.push_back({.size = from.Number(),
                                 .device = from.Number(),
                                 .inode = from.Number(),
                                 .modified_ns = from.Signed(),
                                 .changed_ns = from.Signed()});
  }
  if (!from.complete() || stage >= kRehearsalStages ||
      outcome > static_cast<std::uint64_t>(RehearsalOutcome::kNotRehearsed)) {
    return std::nullopt;
  }
  rehearsal.outcome = static_cast<RehearsalOutcome>(outcome);
  rehearsal.stage = static_cast<RehearsalStage>(stage);
  return result;
}

namespace {

RehearsedFiles NotRehearsedFiles(std::string why) {
  return {.rehearsal = NotRehearsed(std::move(why)), .identities = {}};
}

RehearsedFiles RehearseFile(const std::string& path, const FoundLoader& loader) {
  Models model({path}, {});
  const absl::StatusOr<std::vector<Input>> inputs = model.Open(0);
  if (!inputs.ok()) return NotRehearsedFiles(std::string(inputs.status().message()));
  RehearsedFiles result;
  for (const Input& input : *inputs) result.identities.push_back(input.identity());
  std::uint64_t read_bytes = 0;
  result.rehearsal = RehearseFiles({.shards = *inputs}, loader, {}, read_bytes);
  return result;
}

// Serve runs in the process: it answers requests until the printer ends.
void Serve(const std::vector<std::string>& files, const FoundLoader& loader, int requests,
           int answers) {
  while (true) {
    const absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(requests);
    if (!frame.ok() || !*frame) return;
    const std::optional<std::uint64_t> file = NumberIn(**frame);
    if (!file || *file >= files.size()) return;
    const RehearsedFiles result = RehearseFile(files.at(*file), loader);
    if (!SendFrame(answers, FrameKind::kReport, AnswerOf(result)).ok()) return;
  }
}

// FirstsOf returns for each file the first shard of its set, if it is one of the files.
std::vector<std::size_t> FirstsOf(const std::vector<std::string>& files) {
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::size_t> firsts;
  std::vector<std::size_t> of(files.size());
  const auto each = [&](const auto& use) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string file_name = FileNameIn(files.at(i));
      const std::optional<ShardName> name = ParseShardName(file_name);
      if (name)
        use(i, *name, std::tuple(FolderOf(files.at(i)), std::string(name->stem), name->count));
    }
  };
  for (std::size_t i = 0; i < files.size(); ++i) of.at(i) = i;
  each([&](std::size_t i, const ShardName& name, auto set) {
    if (name.number == 1) firsts.emplace(std::move(set), i);
  });
  each([&](std::size_t i, const ShardName&, const auto& set) {
    const auto first = firsts.find(set);
    if (first != firsts.end()) of.at(i) = first->second;
  });
  return of;
}

Wording WordingFor(RehearsalOutcome outcome) {
  switch (outcome) {
    case RehearsalOutcome::kHangs:
      return Wording(RehearsalCrashWording::kHangs);
    case RehearsalOutcome::kExceedsMemory:
      return Wording(RehearsalCrashWording::kMemory);
    case RehearsalOutcome::kRefuses:
      return Wording(RehearsalRefusedWording::kOnly);
    default:
      return Wording(RehearsalCrashWording::kCrashes);
  }
}

// WithoutPrefix removes the beginning of llama.cpp's errors about models: it is always the same. A
// fact of a finding is cut after some hundred bytes, and the cause comes last.
std::string_view WithoutPrefix(std::string_view reason) {
  constexpr std::string_view kPrefix = "llama_model_load: error loading model: ";
  if (reason.starts_with(kPrefix)) reason.remove_prefix(kPrefix.size());
  return reason;
}

FileReport NotDone(FileReport report, const std::string& why) {
  report.verdict = Verdict::kUndecided;
  report.problem = absl::FailedPreconditionError("not rehearsed: " + why);
  return report;
}

}  // namespace

FileReport WithOutcome(FileReport report, const RehearsedFiles& result, const Policy& policy) {
  const Rehearsal& rehearsal = result.rehearsal;
  if (rehearsal.outcome == RehearsalOutcome::kNotRehearsed) {
    return NotDone(std::move(report), rehearsal.reason);
  }
  if (std::ranges::find(result.identities, report.identity) == result.identities.end()) {
    return NotDone(std::move(report), "the file changed after the check");
  }
  if (rehearsal.outcome == RehearsalOutcome::kRuns) return report;
  const Wording wording = WordingFor(rehearsal.outcome);
  const Policy of_file = report.sha256 ? ForDigest(policy, *report.sha256) : policy;
  Sink(RuleOf(wording.rule), of_file, report.findings)
      .Add({.where = {},
            .observed = TextFact(WordFor(rehearsal.stage)),
            .other = TextFact(WithoutPrefix(rehearsal.reason)),
            .wording = wording});
  SortFindings(report.findings);
  report.verdict = VerdictOf(report.findings, policy);
  return report;
}

Rehearsals::Rehearsals(std::vector<std::string> files, FoundLoader loader)
    : files_(std::move(files)), firsts_(FirstsOf(files_)), loader_(std::move(loader)) {}

absl::StatusOr<std::unique_ptr<Rehearsals>> Rehearsals::Start(std::vector<std::string> files,
                                                              FoundLoader loader) {
  absl::StatusOr<Pipe> requests = MakePipe();
  if (!requests.ok()) return requests.status();
  absl::StatusOr<Pipe> answers = MakePipe();
  if (!answers.ok()) return answers.status();
  std::unique_ptr<Rehearsals> rehearsals(new Rehearsals(std::move(files), std::move(loader)));
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return absl::ErrnoToStatus(errno, "cannot start a process for rehearsals");
  if (process == 0) {
    // Otherwise the end of the requests would never come.
    requests->to = Descriptor();
    answers->from = Descriptor();
    if (EndWithParent(parent)) {
      Serve(rehearsals->files_, rehearsals->loader_, requests->from.get(), answers->to.get());
    }
    ::_exit(0);
  }
  rehearsals->process_ = process;
  rehearsals->ask_ = std::move(requests->to);
  rehearsals->answers_ = std::move(answers->from);
  return rehearsals;
}

Rehearsals::~Rehearsals() {
  if (process_ < 0) return;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

RehearsedFiles Rehearsals::Ask(std::size_t file) const {
  constexpr const char* kGone = "the process for rehearsals has ended";
  if (!SendFrame(ask_.get(), FrameKind::kReport, FrameOfNumber(file)).ok()) {
    return NotRehearsedFiles(kGone);
  }
  const absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(answers_.get());
  if (!frame.ok() || !*frame) return NotRehearsedFiles(kGone);
  return AnswerIn((*frame)->bytes).value_or(NotRehearsedFiles("its result is invalid"));
}

const RehearsedFiles& Rehearsals::AskOnce(std::size_t file) {
  const std::size_t first = firsts_.at(file);
  if (!ParseShardName(FileNameIn(files_.at(first)))) return last_ = Ask(file);
  const auto known = sets_.find(first);
  return known != sets_.end() ? known->second : sets_.emplace(first, Ask(first)).first->second;
}

FileReport Rehearsals::AfterRehearsal(FileReport report, const Policy& policy) {
  if (report.verdict != Verdict::kAccept) return report;
  if (!report.number) {
    return NotDone(std::move(report), "it is a model of a store; name the path of its file");
  }
  const std::string& path = files_.at(*report.number);
  if (path == "-") return NotDone(std::move(report), "standard input can be read only once");
  if (IsRemote(path)) {
    return NotDone(std::move(report),
                   "it is on a server; use ggufgate rehearse, which fetches it once");
  }
  const RehearsedFiles& result = AskOnce(*report.number);
  const Rehearsal& rehearsal = result.rehearsal;
  report.rehearsal = {.loader = loader_.path,
                      .loader_sha256 = loader_.sha256,
                      .loader_version = rehearsal.version,
                      .outcome = std::string(WordFor(rehearsal.outcome)),
                      .stage = std::string(WordFor(rehearsal.stage)),
                      .seconds = rehearsal.seconds,
                      .cpu_seconds = rehearsal.cpu_seconds,
                      .peak_bytes = rehearsal.peak_bytes};
  return WithOutcome(std::move(report), result, policy);
}

}  // namespace ggufgate

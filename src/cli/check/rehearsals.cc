#include "cli/check/rehearsals.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <utility>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "check/check.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"
#include "check/verdict.h"
#include "cli/rehearse/models.h"
#include "gate/confine/parent_death.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/worker_pipe.h"

namespace ggufgate {
namespace {

constexpr std::size_t kNumber = sizeof(std::uint64_t);
// The loader's texts are short: rehearse/driver_record.h.
constexpr std::size_t kMostText = 4096;

// An answer has five numbers and two texts, each with its length before it.
std::vector<std::uint8_t> AnswerOf(const Rehearsal& rehearsal) {
  std::vector<std::uint8_t> bytes;
  const auto put = [&bytes](std::uint64_t number) {
    bytes.resize(bytes.size() + kNumber);
    Store(number, ByteOrder::kLittle, MutableBytes(bytes).last(kNumber));
  };
  const auto put_text = [&](const std::string& text) {
    const Bytes some = AsBytes(text).first(std::min(text.size(), kMostText));
    put(some.size());
    bytes.insert(bytes.end(), some.begin(), some.end());
  };
  put(static_cast<std::uint64_t>(rehearsal.outcome));
  put(static_cast<std::uint64_t>(rehearsal.stage));
  put(std::bit_cast<std::uint64_t>(rehearsal.seconds));
  put(std::bit_cast<std::uint64_t>(rehearsal.cpu_seconds));
  put(rehearsal.peak_bytes);
  put_text(rehearsal.reason);
  put_text(rehearsal.version);
  return bytes;
}

// AnswerIn decodes an answer. The process that sent it has run a loader, but shares no memory with
// it, so an invalid answer is a bug.
std::optional<Rehearsal> AnswerIn(Bytes bytes) {
  bool complete = true;
  const auto take = [&]() -> std::uint64_t {
    complete = complete && bytes.size() >= kNumber;
    if (!complete) return 0;
    const auto number = Load<std::uint64_t>(bytes, ByteOrder::kLittle);
    bytes = bytes.subspan(kNumber);
    return number;
  };
  const auto take_text = [&]() -> std::string {
    const std::uint64_t size = take();
    complete = complete && size <= bytes.size();
    if (!complete) return "";
    const std::string text(AsText(bytes.first(size)));
    bytes = bytes.subspan(size);
    return text;
  };
  Rehearsal rehearsal;
  const std::uint64_t outcome = take();
  const std::uint64_t stage = take();
  rehearsal.seconds = std::bit_cast<double>(take());
  rehearsal.cpu_seconds = std::bit_cast<double>(take());
  rehearsal.peak_bytes = take();
  rehearsal.reason = take_text();
  rehearsal.version = take_text();
  if (!complete || !bytes.empty() || stage >= kRehearsalStages ||
      outcome > static_cast<std::uint64_t>(RehearsalOutcome::kNotRehearsed)) {
    return std::nullopt;
  }
  rehearsal.outcome = static_cast<RehearsalOutcome>(outcome);
  rehearsal.stage = static_cast<RehearsalStage>(stage);
  return rehearsal;
}

Rehearsal RehearseFile(const std::string& path, const RemoteOptions& remote,
                       const FoundLoader& loader) {
  if (path == "-") return NotRehearsed("standard input can be read only once");
  Models model({path}, remote);
  const absl::StatusOr<std::vector<Input>> inputs = model.Open(0);
  if (!inputs.ok()) return NotRehearsed(std::string(inputs.status().message()));
  std::uint64_t read_bytes = 0;
  return RehearseShards(*inputs, loader, {}, read_bytes);
}

// Serve runs in the process: it answers requests until the printer ends.
void Serve(const std::vector<std::string>& files, const RemoteOptions& remote,
           const FoundLoader& loader, int requests, int answers) {
  while (true) {
    const absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(requests);
    if (!frame.ok() || !*frame) return;
    const std::optional<std::uint64_t> file = NumberIn(**frame);
    if (!file || *file >= files.size()) return;
    const Rehearsal rehearsal = RehearseFile(files.at(*file), remote, loader);
    if (!SendFrame(answers, FrameKind::kReport, AnswerOf(rehearsal)).ok()) return;
  }
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

// WithoutPrefix removes the words with which llama.cpp begins each error of a model. A fact of a
// finding is cut after some hundred bytes, and the cause comes last.
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

FileReport WithOutcome(FileReport report, const Rehearsal& rehearsal, const Policy& policy) {
  if (rehearsal.outcome == RehearsalOutcome::kRuns) return report;
  if (rehearsal.outcome == RehearsalOutcome::kNotRehearsed) {
    return NotDone(std::move(report), rehearsal.reason);
  }
  const Wording wording = WordingFor(rehearsal.outcome);
  Sink(RuleOf(wording.rule), policy, report.findings)
      .Add({.where = {},
            .observed = TextFact(WordFor(rehearsal.stage)),
            .other = TextFact(WithoutPrefix(rehearsal.reason)),
            .wording = wording});
  SortFindings(report.findings);
  report.verdict = VerdictOf(report.findings, policy);
  return report;
}

Rehearsals::Rehearsals(std::vector<std::string> files, FoundLoader loader)
    : files_(std::move(files)), names_(files_.begin(), files_.end()), loader_(std::move(loader)) {
  for (std::size_t i = 0; i < files_.size(); ++i) numbers_.emplace(files_.at(i), i);
}

absl::StatusOr<std::unique_ptr<Rehearsals>> Rehearsals::Start(std::vector<std::string> files,
                                                              const RemoteOptions& remote,
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
      Serve(rehearsals->files_, remote, rehearsals->loader_, requests->from.get(),
            answers->to.get());
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

Rehearsal Rehearsals::Ask(std::size_t file) const {
  constexpr const char* kGone = "the process for rehearsals has ended";
  if (!SendFrame(ask_.get(), FrameKind::kReport, FrameOfNumber(file)).ok()) {
    return NotRehearsed(kGone);
  }
  const absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(answers_.get());
  if (!frame.ok() || !*frame) return NotRehearsed(kGone);
  return AnswerIn((*frame)->bytes).value_or(NotRehearsed("its result is invalid"));
}

FileReport Rehearsals::AfterRehearsal(FileReport report, const Policy& policy) const {
  if (report.verdict != Verdict::kAccept) return report;
  const auto number = numbers_.find(report.path);
  if (number == numbers_.end()) {
    return NotDone(std::move(report), "a model of a store; check its file by its path");
  }
  if (IsLaterShard(report.path, names_)) return report;
  const Rehearsal rehearsal = Ask(number->second);
  report.rehearsal = {.loader = loader_.path,
                      .loader_sha256 = loader_.sha256,
                      .loader_version = rehearsal.version,
                      .outcome = std::string(WordFor(rehearsal.outcome)),
                      .stage = std::string(WordFor(rehearsal.stage)),
                      .seconds = rehearsal.seconds,
                      .cpu_seconds = rehearsal.cpu_seconds,
                      .peak_bytes = rehearsal.peak_bytes};
  return WithOutcome(std::move(report), rehearsal, policy);
}

}  // namespace ggufgate

#include "rehearse/conclusion.h"

#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "rehearse/driver_record.h"

namespace ggufgate {
namespace {

using enum RehearsalOutcome;

// SetFor reports the limit that the loader exceeded.
void SetFor(KilledFor why, Rehearsal& rehearsal) {
  rehearsal.outcome = why == KilledFor::kTime ? kHangs : kExceedsMemory;
  rehearsal.reason = why == KilledFor::kTime     ? "it was stopped at its time limit"
                     : why == KilledFor::kMemory ? "it was stopped at its memory limit"
                                                 : "it was stopped at its thread limit";
}

// SetForSignal reports a signal that the watch did not send.
void SetForSignal(int signal, const std::string& cause, Rehearsal& rehearsal) {
  rehearsal.signal = signal;
  if (signal == SIGXCPU) return SetFor(KilledFor::kTime, rehearsal);
  if (signal == SIGKILL || signal == SIGTERM) {
    // The result is unknown: the machine may have run out of memory.
    rehearsal.reason = absl::StrCat("another process stopped it with SIG", ::sigabbrev_np(signal));
    return;
  }
  rehearsal.outcome = kCrashes;
  const char* const name = ::sigabbrev_np(signal);
  rehearsal.reason = name != nullptr ? absl::StrCat("SIG", name) : absl::StrCat("signal ", signal);
  if (!cause.empty()) absl::StrAppend(&rehearsal.reason, ": ", cause);
}

// A dynamic linker that does not find a library ends with this code, and a shell that does not find
// a program.
constexpr int kNotStarted = 127;

void SetForExitOfCommand(int code, const std::string& cause, Rehearsal& rehearsal) {
  if (code == 0) {
    rehearsal.outcome = kRuns;
    rehearsal.stage = RehearsalStage::kDone;
    return;
  }
  if (code != kNotStarted) rehearsal.outcome = kRefuses;
  rehearsal.reason = absl::StrCat("its exit code is ", code);
  if (!cause.empty()) absl::StrAppend(&rehearsal.reason, ": ", cause);
}

void SetForExit(int code, const DriverRecordReader& heard, const std::string& cause,
                Rehearsal& rehearsal) {
  if (code == kDriverDone && heard.finished()) {
    rehearsal.outcome = kRuns;
  } else if (code == kDriverRefused && heard.refused()) {
    rehearsal.outcome = kRefuses;
    rehearsal.reason = cause.empty() ? "it gave no reason" : cause;
  } else {
    rehearsal.outcome = kCrashes;
    rehearsal.reason = absl::StrCat("it exited with code ", code);
    if (!cause.empty()) absl::StrAppend(&rehearsal.reason, ": ", cause);
  }
}

}  // namespace

Rehearsal Conclude(const DriverEnd& end, const DriverRecordReader& heard,
                   const RecentOutput& words) {
  Rehearsal rehearsal{.stage = heard.stage(), .version = heard.version(), .notes = heard.notes()};
  const std::string cause = CauseIn(words.text());
  if (heard.forged()) {
    rehearsal.reason = "the loader wrote to the pipe of the driver's report";
    return rehearsal;
  }
  const int code = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : -1;
  if (code == kDriverCannot && !heard.cannot().empty()) {
    rehearsal.reason = heard.cannot();
    return rehearsal;
  }
  if (end.killed_for != KilledFor::kNothing) {
    SetFor(end.killed_for, rehearsal);
  } else if (WIFSIGNALED(end.status)) {
    SetForSignal(WTERMSIG(end.status), cause, rehearsal);
  } else if (end.kind == LoaderKind::kCommand && rehearsal.stage == RehearsalStage::kRun) {
    SetForExitOfCommand(code, cause, rehearsal);
  } else {
    SetForExit(code, heard, cause, rehearsal);
  }
  const bool failed = rehearsal.outcome == kCrashes || rehearsal.outcome == kRefuses;
  if (failed && WantsMemory(words.text())) rehearsal.outcome = kExceedsMemory;
  // The loader had not received the model yet.
  if (rehearsal.stage == RehearsalStage::kOpen && rehearsal.outcome != kNotRehearsed) {
    rehearsal.outcome = kNotRehearsed;
    rehearsal.reason =
        absl::StrCat("the loader stopped before it got the model: ", rehearsal.reason);
  }
  return rehearsal;
}

}  // namespace ggufgate

#include "gate/confine/confine.h"

#if GGUFGATE_WITH_CONFINEMENT

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gate/confine/landlock.h"
#include "gate/confine/parent_death.h"
#include "gate/confine/system_calls.h"

namespace ggufgate {
namespace {

// Exit code of a child that could not be confined. `work` returns 0 to 2.
constexpr int kNotConfined = 113;
// Exit code if memory runs out in the child: like any other error of `work`.
constexpr int kFailed = 2;

// Seconds from SIGXCPU to SIGKILL.
constexpr std::uint64_t kSecondsToSaySo = 5;
// Each thread has a file open, and there are at most 1,024 threads (ThreadTeam::kMost).
constexpr std::uint64_t kMostDescriptors = 2048;

// Limit lowers a limit. A limit that is already lower stays, because only root may raise it.
absl::Status Limit(decltype(RLIMIT_AS) resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit limit = {};
  if (::getrlimit(resource, &limit) != 0) {
    return absl::ErrnoToStatus(errno, "cannot confine: resource limit");
  }
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, soft);
  limit.rlim_max = std::min<rlim_t>(limit.rlim_max, hard);
  if (::setrlimit(resource, &limit) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot confine: resource limit");
}

absl::Status Limit(decltype(RLIMIT_AS) resource, std::uint64_t most) {
  return Limit(resource, most, most);
}

// ForgetHandlers resets signal handlers: in the child, a handler of this process could make calls
// that the child must not make.
void ForgetHandlers() {
  for (int signal = 1; signal < SIGRTMAX; ++signal) {
    struct sigaction action = {};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
}

// KeepOnly closes all descriptors except these few.
absl::Status KeepOnly(std::vector<int> descriptors) {
  const absl::Status failed = absl::InternalError("cannot confine: descriptors");
  std::ranges::sort(descriptors);
  unsigned first = 0;  // the lowest descriptor still to close
  for (const int kept : descriptors) {
    const auto number = static_cast<unsigned>(kept);
    if (number < first) continue;  // listed twice
    if (number > first && ::close_range(first, number - 1, 0) != 0) return failed;
    first = number + 1;
  }
  if (::close_range(first, ~0U, 0) != 0) return failed;
  // Reserves the standard descriptors, so that no file opened later becomes standard input or
  // output.
  while (true) {
    const int nowhere = ::open("/dev/null", O_PATH);  // the lowest free number
    if (nowhere < 0) return absl::ErrnoToStatus(errno, "cannot confine: /dev/null");
    if (nowhere > STDERR_FILENO) return ::close(nowhere) == 0 ? absl::OkStatus() : failed;
  }
}

absl::Status GiveUpEverything(const Confinement& confinement, pid_t parent) {
  // The order matters. Landlock must open paths first, and both filters require
  // PR_SET_NO_NEW_PRIVS.
  if (!EndWithParent(parent) || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return absl::ErrnoToStatus(errno, "cannot confine: prctl");
  }
  absl::Status status = Limit(RLIMIT_CORE, 0);
  if (confinement.descriptors) status.Update(KeepOnly(*confinement.descriptors));
  status.Update(Limit(RLIMIT_AS, confinement.most_memory));
  status.Update(Limit(RLIMIT_CPU, confinement.most_cpu_seconds,
                      confinement.most_cpu_seconds + kSecondsToSaySo));
  status.Update(Limit(RLIMIT_NOFILE, kMostDescriptors));
  if (!confinement.writes && !confinement.spools) status.Update(Limit(RLIMIT_FSIZE, 0));
  if (status.ok()) status = RestrictFiles(confinement.readable);
  if (status.ok()) {
    status = RestrictSystemCalls({.reads = confinement.reads, .spools = confinement.spools});
  }
  return status;
}

[[noreturn]] void Say(std::string_view message, int code) {
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(code);
}

// BeChild lets no exception escape, because the stack frames above it belong to the parent's work.
[[noreturn]] void BeChild(const Confinement& confinement, pid_t parent,
                          const std::function<int()>& work) {
  try {
    ForgetHandlers();
    if (const absl::Status status = GiveUpEverything(confinement, parent); !status.ok()) {
      Say(absl::StrCat("ggufgate: ", status.message(), "\n"), kNotConfined);
    }
    ::_exit(work());
  } catch (const std::bad_alloc&) {
    Say("ggufgate: out of memory\n", kFailed);
  } catch (...) {
    Say("ggufgate: the confined process failed\n", kFailed);
  }
}

absl::Status DeathOf(int signal) {
  const char* why = signal == SIGSYS    ? " (it made a system call that is not allowed)"
                    : signal == SIGXCPU ? " (it exceeded its processor time)"
                                        : "";
  return absl::AbortedError(
      absl::StrCat("the confined process was stopped by SIG", ::sigabbrev_np(signal), why));
}

}  // namespace

bool ConfinementIsBuiltIn() { return true; }

std::string AvailableConfinement() {
  const long landlock = LandlockVersion();
  return absl::StrCat(
      landlock >= 1 ? absl::StrCat("Landlock ", landlock) : "no Landlock in this kernel", ", ",
      FiltersAreAvailable() ? "seccomp" : "no seccomp: ggufgate cannot check files here");
}

absl::StatusOr<ConfinementInForce> AskForConfinement() {
  const absl::StatusOr<bool> files = LandlockIsAvailable();
  if (!files.ok()) return files.status();
  return ConfinementInForce{.system_calls = true, .files = *files};
}

absl::StatusOr<pid_t> StartConfined(const Confinement& confinement,
                                    const std::function<int()>& work) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return absl::ErrnoToStatus(errno, "cannot start the confined process");
  if (child == 0) BeChild(confinement, parent, work);
  return child;
}

absl::StatusOr<int> EndOfConfined(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "cannot wait for the confined process");
  }
  if (WIFSIGNALED(status)) return DeathOf(WTERMSIG(status));
  if (WEXITSTATUS(status) == kNotConfined) {
    return absl::FailedPreconditionError("the system does not allow ggufgate to confine the check");
  }
  return WEXITSTATUS(status);
}

absl::StatusOr<int> RunConfined(const Confinement& confinement, const std::function<int()>& work) {
  const absl::StatusOr<pid_t> child = StartConfined(confinement, work);
  if (!child.ok()) return child.status();
  return EndOfConfined(*child);
}

}  // namespace ggufgate

#else

namespace ggufgate {

bool ConfinementIsBuiltIn() { return false; }

std::string AvailableConfinement() { return "none in this build"; }
absl::StatusOr<ConfinementInForce> AskForConfinement() { return ConfinementInForce{}; }

absl::StatusOr<int> RunConfined(const Confinement& /*confinement*/,
                                const std::function<int()>& work) {
  return work();
}

absl::StatusOr<pid_t> StartConfined(const Confinement& /*confinement*/,
                                    const std::function<int()>& /*work*/) {
  return absl::UnimplementedError("this build cannot confine");
}

absl::StatusOr<int> EndOfConfined(pid_t /*child*/) {
  return absl::UnimplementedError("this build cannot confine");
}

}  // namespace ggufgate

#endif

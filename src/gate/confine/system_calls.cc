#include "gate/confine/system_calls.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

// Calls allowed with any arguments.
constexpr std::array kAllowed = {
    // files that are open, and memory
    SCMP_SYS(read),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    // threads
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(gettid),
    // signals, for abort(); tgkill to itself
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(getpid),
    // time and randomness
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getrandom),
};

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// AllowIf allows a call when the bits of `mask` in argument number `argument` are exactly `bits`.
int AllowIf(scmp_filter_ctx filter, int call, unsigned argument, scmp_datum_t mask,
            scmp_datum_t bits) {
  const scmp_arg_cmp compare{
      .arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = bits};
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &compare);
}

int AllowEqual(scmp_filter_ctx filter, int call, unsigned argument, scmp_datum_t value) {
  return AllowIf(filter, call, argument, ~scmp_datum_t{0}, value);
}

// AllowReading: of files that it opens, and at any place.
int AllowReading(scmp_filter_ctx filter) {
  // For reading alone, and no descriptor that only names a file.
  constexpr scmp_datum_t kOther = O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE;
  int error = AllowIf(filter, SCMP_SYS(openat), 2, kOther, O_RDONLY);
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(pread64), 0);
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(lseek), 0);
  // Standard input that is a file is judged by a descriptor of our own.
  error |= AllowEqual(filter, SCMP_SYS(fcntl), 1, F_DUPFD_CLOEXEC);
  return error;
}

// AllowSpooling: a pipe on standard input becomes sealed memory.
int AllowSpooling(scmp_filter_ctx filter) {
  int error = AllowEqual(filter, SCMP_SYS(memfd_create), 1, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  error |= AllowEqual(filter, SCMP_SYS(fcntl), 1, F_ADD_SEALS);
  return error;
}

// AllowGuarded allows calls only with harmless arguments. libseccomp gives 0 or a negative errno.
int AllowGuarded(scmp_filter_ctx filter) {
  // No executable memory.
  int error = AllowIf(filter, SCMP_SYS(mmap), 2, PROT_EXEC, 0);
  error |= AllowIf(filter, SCMP_SYS(mprotect), 2, PROT_EXEC, 0);
  // Signals to itself alone.
  error |= AllowEqual(filter, SCMP_SYS(tgkill), 0, static_cast<scmp_datum_t>(::getpid()));
  // Threads, no processes. The arguments of clone3 cannot be looked at: without it the C library
  // falls back to clone.
  error |= AllowIf(filter, SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD);
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // Harmless questions that libraries ask, answered with no. newfstatat could ask about any path:
  // we ask by fstat.
  for (const int call : {SCMP_SYS(ioctl), SCMP_SYS(readlink), SCMP_SYS(prctl), SCMP_SYS(access),
                         SCMP_SYS(newfstatat)}) {
    error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  return error;
}

// HasRoom: libseccomp 2.5.4 does not come back when memory ends while it makes a program.
bool HasRoom() {
  constexpr std::size_t kPlenty = std::size_t{4} << 20;  // a filter of ours takes some 100 KiB
  void* const volatile room = std::malloc(kPlenty);      // volatile: it must really be asked for
  std::free(room);
  return room != nullptr;
}

// EndsUnlessDone ends the process when it computes for much longer than it takes to make a program:
// if memory ends in libseccomp all the same, nobody shall wait for it.
class EndsUnlessDone {
 public:
  EndsUnlessDone() { Set(250'000); }
  EndsUnlessDone(const EndsUnlessDone&) = delete;
  EndsUnlessDone& operator=(const EndsUnlessDone&) = delete;
  ~EndsUnlessDone() { Set(0); }

 private:
  static void Set(suseconds_t microseconds) {
    const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = microseconds}};
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
};

// ProgramOf makes the program of a filter, by way of a pipe, which holds it: libseccomp would load
// it as well, and then the timer could not be stopped any more. Nothing when that fails.
std::vector<sock_filter> ProgramOf(scmp_filter_ctx filter) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return {};
  const Descriptor from(ends[0]);
  const Descriptor to(ends[1]);
  if (seccomp_export_bpf(filter, to.get()) != 0) return {};
  std::vector<sock_filter> program(BPF_MAXINSNS);
  const ssize_t got = ::read(from.get(), program.data(), program.size() * sizeof(sock_filter));
  program.resize(got > 0 ? static_cast<std::size_t>(got) / sizeof(sock_filter) : 0);
  return program;
}

bool IsSame(const sock_filter& a, const sock_filter& b) {
  return a.code == b.code && a.jt == b.jt && a.jf == b.jf && a.k == b.k;
}

bool Load(std::vector<sock_filter> program) {
  if (program.empty()) return false;
  const sock_fprog all{.len = static_cast<unsigned short>(program.size()),
                       .filter = program.data()};
  return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &all) == 0;
}

// MakeProgram gives nothing when libseccomp fails.
std::vector<sock_filter> MakeProgram(const SystemCallNeeds& needs) {
  const EndsUnlessDone unless_done;
  const Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS), &seccomp_release);
  if (filter == nullptr) return {};
  int error = AllowGuarded(filter.get());
  if (needs.reads) error |= AllowReading(filter.get());
  if (needs.spools) error |= AllowSpooling(filter.get());
  for (const int call : kAllowed) {
    error |= seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
  }
  return error == 0 ? ProgramOf(filter.get()) : std::vector<sock_filter>();
}

}  // namespace

bool FiltersAreAvailable() {
  const std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

absl::Status RestrictSystemCalls(const SystemCallNeeds& needs) {
  if (!HasRoom()) return absl::ResourceExhaustedError("cannot confine: out of memory");
  // Twice: libseccomp 2.5.4 passes over some of its allocations that fail, and what it makes then
  // need not be what it was asked for.
  std::vector<sock_filter> program = MakeProgram(needs);
  if (!std::ranges::equal(program, MakeProgram(needs), &IsSame)) {
    return absl::ResourceExhaustedError("cannot confine: out of memory");
  }
  if (Load(std::move(program))) return absl::OkStatus();
  return absl::InternalError("cannot confine: the system refuses the seccomp filter");
}

}  // namespace ggufgate

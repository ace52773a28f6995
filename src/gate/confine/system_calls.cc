#include "gate/confine/system_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <new>

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

// HasRoom: libseccomp 2.5.4 does not come back from seccomp_load() when memory ends in it.
bool HasRoom() {
  constexpr std::size_t kPlenty = std::size_t{4} << 20;  // a filter of ours takes some 100 KiB
  return std::unique_ptr<char[]>(new (std::nothrow) char[kPlenty]) != nullptr;
}

}  // namespace

absl::Status RestrictSystemCalls(const SystemCallNeeds& needs) {
  if (!HasRoom()) return absl::ResourceExhaustedError("cannot confine: out of memory");
  const Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS), &seccomp_release);
  if (filter == nullptr) return absl::InternalError("cannot confine: no seccomp filter");
  int error = AllowGuarded(filter.get());
  if (needs.reads) error |= AllowReading(filter.get());
  if (needs.spools) error |= AllowSpooling(filter.get());
  for (const int call : kAllowed) {
    error |= seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
  }
  if (error == 0) error = seccomp_load(filter.get());
  if (error != 0)
    return absl::InternalError("cannot confine: the system refuses the seccomp filter");
  return absl::OkStatus();
}

}  // namespace ggufgate

#include "gate/system_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>

#include <array>
#include <cerrno>
#include <memory>

namespace ggufgate {
namespace {

// Calls allowed with any arguments.
constexpr std::array kAllowed = {
    // files that are open, and memory
    SCMP_SYS(read),
    SCMP_SYS(pread64),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(lseek),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(brk),
    // a pipe on standard input is spooled to sealed memory
    SCMP_SYS(memfd_create),
    SCMP_SYS(fcntl),
    // threads
    SCMP_SYS(futex),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(gettid),
    // signals, for abort()
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(getpid),
    SCMP_SYS(tgkill),
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

// AllowGuarded allows calls only with harmless arguments. libseccomp gives 0 or a negative errno.
int AllowGuarded(scmp_filter_ctx filter) {
  // Open for reading alone.
  int error = AllowIf(filter, SCMP_SYS(openat), 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY);
  // fstat() of newer C libraries: the descriptor itself, by an empty path.
  error |= AllowIf(filter, SCMP_SYS(newfstatat), 3, AT_EMPTY_PATH, AT_EMPTY_PATH);
  // No executable memory.
  error |= AllowIf(filter, SCMP_SYS(mmap), 2, PROT_EXEC, 0);
  error |= AllowIf(filter, SCMP_SYS(mprotect), 2, PROT_EXEC, 0);
  // Threads, no processes. The arguments of clone3 cannot be looked at: without it the C library
  // falls back to clone.
  error |= AllowIf(filter, SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD);
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  // Harmless questions that libraries ask, answered with no.
  for (const int call : {SCMP_SYS(ioctl), SCMP_SYS(readlink), SCMP_SYS(prctl), SCMP_SYS(access)}) {
    error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  return error;
}

}  // namespace

absl::Status RestrictSystemCalls() {
  const Filter filter(seccomp_init(SCMP_ACT_KILL_PROCESS), &seccomp_release);
  if (filter == nullptr) return absl::InternalError("cannot confine: no seccomp filter");
  int error = AllowGuarded(filter.get());
  for (const int call : kAllowed) {
    error |= seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
  }
  if (error == 0) error = seccomp_load(filter.get());
  if (error != 0)
    return absl::InternalError("cannot confine: the system refuses the seccomp filter");
  return absl::OkStatus();
}

}  // namespace ggufgate

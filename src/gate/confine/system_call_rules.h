#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

namespace ggufgate {

// SystemCallRule is one line of what a confined process may ask the system for. What no rule
// answers ends the process.
struct SystemCallRule {
  enum class Need { kAlways, kReads, kSpools };        // see SystemCallNeeds
  enum class Answer { kAllow, kNoSuchCall, kRefuse };  // ENOSYS, EPERM
  enum class When { kAnyArguments, kBitsAre, kIsOwnProcess };

  long call;
  Answer answer = Answer::kAllow;
  Need need = Need::kAlways;
  When when = When::kAnyArguments;
  // Of argument number `argument`, the bits of `mask` are exactly `bits`; or it is the number of
  // the process.
  unsigned argument = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint64_t bits = 0;
};

// In the order in which they are tried. tests/gate/confine/golden_system_calls.txt is a list of the
// same, kept by hand.
constexpr std::array kSystemCallRules = [] {
  using Rule = SystemCallRule;
  using enum SystemCallRule::Answer;
  using enum SystemCallRule::Need;
  using enum SystemCallRule::When;
  // For reading alone, and no descriptor that only names a file.
  constexpr std::uint64_t kOtherThanReading = O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE;
  return std::to_array<Rule>({
      // files that are open
      {.call = SYS_read},
      {.call = SYS_write},
      {.call = SYS_writev},
      {.call = SYS_close},
      {.call = SYS_fstat},
      // files that it opens, and any place of those that are open
      {.call = SYS_pread64, .need = kReads},
      {.call = SYS_lseek, .need = kReads},
      {.call = SYS_openat,
       .need = kReads,
       .when = kBitsAre,
       .argument = 2,
       .mask = kOtherThanReading,
       .bits = O_RDONLY},
      // standard input that is a file is judged by a descriptor of our own
      {.call = SYS_fcntl, .need = kReads, .when = kBitsAre, .argument = 1, .bits = F_DUPFD_CLOEXEC},
      // a pipe on standard input becomes sealed memory
      {.call = SYS_memfd_create,
       .need = kSpools,
       .when = kBitsAre,
       .argument = 1,
       .bits = MFD_CLOEXEC | MFD_ALLOW_SEALING},
      {.call = SYS_fcntl, .need = kSpools, .when = kBitsAre, .argument = 1, .bits = F_ADD_SEALS},
      // memory, of which nothing is executable
      {.call = SYS_mmap, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
      {.call = SYS_mprotect, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
      {.call = SYS_munmap},
      {.call = SYS_mremap},
      {.call = SYS_madvise},
      {.call = SYS_brk},
      // threads, no processes; the arguments of clone3 cannot be looked at: without it the C
      // library falls back to clone
      {.call = SYS_clone,
       .when = kBitsAre,
       .argument = 0,
       .mask = CLONE_THREAD,
       .bits = CLONE_THREAD},
      {.call = SYS_clone3, .answer = kNoSuchCall},
      {.call = SYS_futex},
      {.call = SYS_set_robust_list},
      {.call = SYS_rseq},
      {.call = SYS_sched_yield},
      {.call = SYS_sched_getaffinity},
      {.call = SYS_exit},
      {.call = SYS_exit_group},
      {.call = SYS_gettid},
      // signals, for abort(): to itself alone
      {.call = SYS_rt_sigprocmask},
      {.call = SYS_rt_sigaction},
      {.call = SYS_rt_sigreturn},
      {.call = SYS_getpid},
      {.call = SYS_tgkill, .when = kIsOwnProcess, .argument = 0},
      // time and randomness
      {.call = SYS_clock_gettime},
      {.call = SYS_clock_nanosleep},
      {.call = SYS_getrandom},
      // harmless questions that libraries ask, answered with no; newfstatat could ask about any
      // path, and we ask by fstat
      {.call = SYS_ioctl, .answer = kRefuse},
      {.call = SYS_prctl, .answer = kRefuse},
      {.call = SYS_newfstatat, .answer = kRefuse},
#ifdef SYS_readlink  // not on architectures that came later
      {.call = SYS_readlink, .answer = kRefuse},
      {.call = SYS_access, .answer = kRefuse},
#endif
  });
}();

}  // namespace ggufgate

#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

namespace ggufgate {

// SystemCallRule is one rule about a system call of a confined process. The first rule that matches
// gives the answer. A call without a rule kills the process.
struct SystemCallRule {
  enum class Need { kAlways, kReads, kSpools };        // see SystemCallNeeds
  enum class Answer { kAllow, kNoSuchCall, kRefuse };  // ENOSYS, EPERM
  enum class When { kAnyArguments, kBitsAre, kIsOwnProcess };

  long call;
  Answer answer = Answer::kAllow;
  Need need = Need::kAlways;
  When when = When::kAnyArguments;
  // For kBitsAre: the bits of `mask` in argument number `argument` are exactly `bits`. For
  // kIsOwnProcess: that argument is the id of the process itself.
  unsigned argument = 0;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint64_t bits = 0;
};

// kSystemCallRules are in the order in which they are tried.
// tests/gate/confine/golden_system_calls.txt is a copy that is maintained by hand.
constexpr std::array kSystemCallRules = [] {
  using Rule = SystemCallRule;
  using enum SystemCallRule::Answer;
  using enum SystemCallRule::Need;
  using enum SystemCallRule::When;
  // Open flags that are refused: all except reading, and descriptors that only name a file
  // (O_PATH).
  constexpr std::uint64_t kOtherThanReading = O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE;
  return std::to_array<Rule>({
      // open files
      {.call = SYS_read},
      {.call = SYS_write},
      {.call = SYS_writev},
      {.call = SYS_close},
      {.call = SYS_fstat},
      // files that it opens, and any offset of open files
      {.call = SYS_pread64, .need = kReads},
      {.call = SYS_lseek, .need = kReads},
      {.call = SYS_openat,
       .need = kReads,
       .when = kBitsAre,
       .argument = 2,
       .mask = kOtherThanReading,
       .bits = O_RDONLY},
      // duplicates of descriptors: standard input that is a file is checked through a separate
      // descriptor
      {.call = SYS_fcntl, .need = kReads, .when = kBitsAre, .argument = 1, .bits = F_DUPFD_CLOEXEC},
      // a pipe on standard input is copied to sealed memory
      {.call = SYS_memfd_create,
       .need = kSpools,
       .when = kBitsAre,
       .argument = 1,
       .bits = MFD_CLOEXEC | MFD_ALLOW_SEALING},
      {.call = SYS_fcntl, .need = kSpools, .when = kBitsAre, .argument = 1, .bits = F_ADD_SEALS},
      // memory that is not executable
      {.call = SYS_mmap, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
      {.call = SYS_mprotect, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
      {.call = SYS_munmap},
      {.call = SYS_mremap},
      {.call = SYS_madvise},
      {.call = SYS_brk},
      // Threads, not processes. A filter cannot see the arguments of clone3. Without clone3, the C
      // library falls back to clone.
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
      // signals, for abort(): only to itself
      {.call = SYS_rt_sigprocmask},
      {.call = SYS_rt_sigaction},
      {.call = SYS_rt_sigreturn},
      {.call = SYS_getpid},
      {.call = SYS_tgkill, .when = kIsOwnProcess, .argument = 0},
      // time and randomness
      {.call = SYS_clock_gettime},
      {.call = SYS_clock_nanosleep},
      {.call = SYS_getrandom},
      // Harmless queries of libraries are refused. newfstatat could query any path; this program
      // uses fstat.
      {.call = SYS_ioctl, .answer = kRefuse},
      {.call = SYS_prctl, .answer = kRefuse},
      {.call = SYS_newfstatat, .answer = kRefuse},
#ifdef SYS_readlink  // missing on newer architectures
      {.call = SYS_readlink, .answer = kRefuse},
      {.call = SYS_access, .answer = kRefuse},
#endif
  });
}();

}  // namespace ggufgate

#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

#include "gate/confine/system_call_rules.h"

namespace ggufgate {

// kRehearsingCallRules lists the system calls of a rehearsing process. That process loads a
// third-party library, which computes with threads. A call without a rule is refused. No rule lets
// the process make a process, a file in memory, a pipe or a socket, or reach another process.
// tests/gate/confine/golden_rehearsing_calls.txt is a copy that is maintained by hand.
constexpr std::array kRehearsingCallRules = [] {
  using Rule = SystemCallRule;
  using enum SystemCallRule::Answer;
  using enum SystemCallRule::When;
  // O_TMPFILE includes O_DIRECTORY, which listing a folder needs.
  constexpr std::uint64_t kOtherThanReading =
      (O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE) & ~O_DIRECTORY;
  return std::to_array<Rule>({
      // files: Landlock decides which of them can be opened
      {.call = SYS_openat,
       .when = kBitsAre,
       .argument = 2,
       .mask = kOtherThanReading,
       .bits = O_RDONLY},
#ifdef SYS_open  // missing on newer architectures
      {.call = SYS_open,
       .when = kBitsAre,
       .argument = 1,
       .mask = kOtherThanReading,
       .bits = O_RDONLY},
      {.call = SYS_access},
      {.call = SYS_readlink},
      {.call = SYS_stat},
      {.call = SYS_lstat},
      {.call = SYS_getdents},
#endif
      {.call = SYS_openat2, .answer = kNoSuchCall},
      {.call = SYS_read},
      {.call = SYS_readv},
      {.call = SYS_pread64},
      {.call = SYS_preadv},
      {.call = SYS_write},
      {.call = SYS_writev},
      {.call = SYS_close},
      {.call = SYS_lseek},
      {.call = SYS_fstat},
      {.call = SYS_newfstatat},
      {.call = SYS_statx},
      {.call = SYS_faccessat},
      {.call = SYS_faccessat2},
      {.call = SYS_readlinkat},
      {.call = SYS_getdents64},
      {.call = SYS_getcwd},
      {.call = SYS_fadvise64},
      {.call = SYS_fcntl, .when = kBitsAre, .argument = 1, .bits = F_SETFD},
      {.call = SYS_fcntl, .when = kBitsAre, .argument = 1, .bits = F_GETFL},
      // Memory, also executable memory, because a library is loaded. Shared memory without a file
      // would be counted with the pages of files in memory.
      {.call = SYS_mmap, .when = kBitsAre, .argument = 3, .mask = MAP_TYPE, .bits = MAP_PRIVATE},
      {.call = SYS_mmap,
       .when = kBitsAre,
       .argument = 3,
       .mask = MAP_TYPE | MAP_ANONYMOUS,
       .bits = MAP_SHARED},
      {.call = SYS_mprotect},
      {.call = SYS_munmap},
      {.call = SYS_mremap},
      {.call = SYS_madvise},
      {.call = SYS_brk},
      // threads, not processes; see kSystemCallRules
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
      {.call = SYS_prctl, .when = kBitsAre, .argument = 0, .bits = PR_SET_NAME},
      {.call = SYS_exit},
      {.call = SYS_exit_group},
      {.call = SYS_gettid},
      // signals to itself
      {.call = SYS_rt_sigprocmask},
      {.call = SYS_rt_sigaction},
      {.call = SYS_rt_sigreturn},
      {.call = SYS_sigaltstack},
      {.call = SYS_tgkill, .when = kIsOwnProcess, .argument = 0},
      {.call = SYS_restart_syscall},
      // time, randomness, and facts about the machine; limits can be read, not set
      {.call = SYS_clock_gettime},
      {.call = SYS_clock_getres},
      {.call = SYS_clock_nanosleep},
      {.call = SYS_nanosleep},
      {.call = SYS_gettimeofday},
      {.call = SYS_getrandom},
      {.call = SYS_getrusage},
      {.call = SYS_times},
      {.call = SYS_prlimit64,
       .when = kBitsAre,
       .argument = 2,
       .mask = ~std::uint64_t{0},
       .bits = 0},
      {.call = SYS_uname},
      {.call = SYS_sysinfo},
      {.call = SYS_getcpu},
      {.call = SYS_getpid},
      {.call = SYS_getppid},
      {.call = SYS_getuid},
      {.call = SYS_geteuid},
      {.call = SYS_getgid},
      {.call = SYS_getegid},
  });
}();

}  // namespace ggufgate

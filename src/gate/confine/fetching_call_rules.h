#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cstdint>

#include "gate/confine/system_call_rules.h"

namespace ggufgate {

// kFetchingCallRules lists the system calls that the fetching process may make: libcurl, OpenSSL
// and the C library's resolver need them. A call without a rule is refused.
// tests/gate/confine/golden_fetching_calls.txt is a copy that is maintained by hand.
constexpr std::array kFetchingCallRules = [] {
  using Rule = SystemCallRule;
  using enum SystemCallRule::Answer;
  using enum SystemCallRule::When;
  constexpr std::uint64_t kOtherThanReading = O_ACCMODE | O_CREAT | O_TRUNC | O_PATH | O_TMPFILE;
  return std::to_array<Rule>({
      // open descriptors, and the files that Landlock allows: certificates, host names and the like
      {.call = SYS_read},
      {.call = SYS_readv},
      {.call = SYS_write},
      {.call = SYS_writev},
      {.call = SYS_close},
      {.call = SYS_fstat},
      {.call = SYS_newfstatat},
      {.call = SYS_lseek},
      {.call = SYS_pread64},
      {.call = SYS_openat,
       .when = kBitsAre,
       .argument = 2,
       .mask = kOtherThanReading,
       .bits = O_RDONLY},
      {.call = SYS_fcntl, .when = kBitsAre, .argument = 1, .bits = F_GETFL},
      {.call = SYS_fcntl, .when = kBitsAre, .argument = 1, .bits = F_SETFL},
      {.call = SYS_ioctl, .when = kBitsAre, .argument = 1, .bits = FIONREAD},
      {.call = SYS_ioctl, .when = kBitsAre, .argument = 1, .bits = FIONBIO},
      // sockets: Internet sockets, netlink sockets to ask the kernel for the addresses of this
      // machine, and socket pairs by which threads wake each other
      {.call = SYS_socket, .when = kBitsAre, .argument = 0, .bits = AF_INET},
      {.call = SYS_socket, .when = kBitsAre, .argument = 0, .bits = AF_INET6},
      {.call = SYS_socket, .when = kBitsAre, .argument = 0, .bits = AF_NETLINK},
      {.call = SYS_socketpair},
      {.call = SYS_bind},
      {.call = SYS_connect},
      {.call = SYS_sendto},
      {.call = SYS_sendmsg},
      {.call = SYS_sendmmsg},
      {.call = SYS_recvfrom},
      {.call = SYS_recvmsg},
      {.call = SYS_getsockname},
      {.call = SYS_getpeername},
      {.call = SYS_getsockopt},
      {.call = SYS_setsockopt},
      {.call = SYS_shutdown},
      {.call = SYS_ppoll},
      {.call = SYS_pselect6},
#ifdef SYS_poll  // missing on newer architectures
      {.call = SYS_poll},
      {.call = SYS_select},
#endif
      {.call = SYS_pipe2},
      {.call = SYS_eventfd2},
      // memory that is not executable
      {.call = SYS_mmap, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
      {.call = SYS_mprotect, .when = kBitsAre, .argument = 2, .mask = PROT_EXEC, .bits = 0},
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
      {.call = SYS_exit},
      {.call = SYS_exit_group},
      {.call = SYS_gettid},
      {.call = SYS_rt_sigprocmask},
      {.call = SYS_rt_sigaction},
      {.call = SYS_rt_sigreturn},
      {.call = SYS_getpid},
      {.call = SYS_tgkill, .when = kIsOwnProcess, .argument = 0},
      // time, randomness, and the identity of the user and the machine
      {.call = SYS_clock_gettime},
      {.call = SYS_clock_getres},
      {.call = SYS_clock_nanosleep},
      {.call = SYS_gettimeofday},
      {.call = SYS_getrandom},
      {.call = SYS_uname},
      {.call = SYS_sysinfo},
      {.call = SYS_getuid},
      {.call = SYS_geteuid},
      {.call = SYS_getgid},
      {.call = SYS_getegid},
  });
}();

}  // namespace ggufgate

#include "tests/support/system/failing_calls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <system_error>

namespace ggufgate::testing {

void FailCall(const FailingCall& call) {
  constexpr std::uint32_t kLowHalf = std::endian::native == std::endian::big ? 4 : 0;
  const auto load = [](std::size_t offset) {
    return sock_filter{.code = BPF_LD | BPF_W | BPF_ABS,
                       .jt = 0,
                       .jf = 0,
                       .k = static_cast<std::uint32_t>(offset)};
  };
  const auto skip_unless = [](std::uint32_t value, std::uint8_t steps) {
    return sock_filter{.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = 0, .jf = steps, .k = value};
  };
  const auto answer = [](std::uint32_t what) {
    return sock_filter{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = what};
  };
  const bool any = call.argument < 0;
  const std::size_t argument =
      any ? offsetof(seccomp_data, nr)
          : offsetof(seccomp_data, args) + static_cast<std::size_t>(call.argument) * 8 + kLowHalf;
  const auto number = static_cast<std::uint32_t>(call.number);
  std::array<sock_filter, 6> steps = {
      load(offsetof(seccomp_data, nr)),
      skip_unless(number, 3),
      load(argument),
      skip_unless(any ? number : call.value, 1),
      answer(SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(call.error)),
      answer(SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{.len = steps.size(), .filter = steps.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) {
    throw std::system_error(errno, std::generic_category(), "seccomp");
  }
}

std::string InChild(const std::function<std::string()>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = work();
    [[maybe_unused]] const ssize_t put = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  for (char one = 0; ::read(ends[0], &one, 1) == 1;) text += one;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) text += std::string("SIG") + ::sigabbrev_np(WTERMSIG(status));
  return text;
}

}  // namespace ggufgate::testing

#pragma once

// System calls that fail, in a child, because they would fail permanently.

#include <cstdint>
#include <functional>
#include <string>

namespace ggufgate::testing {

struct FailingCall {
  long number = 0;
  int error = 0;      // the errno of the call
  int argument = -1;  // fails only if this argument is `value`; -1: always
  std::uint32_t value = 0;
};

// FailCall makes a system call fail from now on, in this process and all that it starts.
void FailCall(const FailingCall& call);

// InChild runs `work` in a child process and returns its result. If the child was killed, it
// appends the reason: "SIGTERM".
[[nodiscard]] std::string InChild(const std::function<std::string()>& work);

}  // namespace ggufgate::testing

#pragma once

// System calls that fail, in a child: they would fail for ever after.

#include <cstdint>
#include <functional>
#include <string>

namespace ggufgate::testing {

struct FailingCall {
  long number = 0;
  int error = 0;      // errno that it gives
  int argument = -1;  // only where this argument is `value`; of any, with -1
  std::uint32_t value = 0;
};

// FailCall has a system call fail, in this process and all that it starts, from now on.
void FailCall(const FailingCall& call);

// InChild runs `work` in a child process and gives what it returns; behind that, how it ended where
// it did not end by itself: "SIGTERM".
[[nodiscard]] std::string InChild(const std::function<std::string()>& work);

}  // namespace ggufgate::testing

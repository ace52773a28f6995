#pragma once

#include <sys/syscall.h>

#include <algorithm>
#include <array>

#include "gate/confine/rehearsing_call_rules.h"
#include "gate/confine/system_call_rules.h"

namespace ggufgate {

// A process that rehearses a command becomes that command. These are the calls of its start, which
// a library does not need. It still makes no other process: SYS_execve replaces its own.
constexpr auto kStartingCallRules = std::to_array<SystemCallRule>({
    {.call = SYS_execve},
    {.call = SYS_set_tid_address},
#ifdef SYS_arch_prctl  // of x86-64: the address of thread-local storage
    {.call = SYS_arch_prctl},
#endif
});

constexpr std::array kCommandCallRules = [] {
  std::array<SystemCallRule, kStartingCallRules.size() + kRehearsingCallRules.size()> all{};
  const auto rest = std::ranges::copy(kStartingCallRules, all.begin()).out;
  std::ranges::copy(kRehearsingCallRules, rest);
  return all;
}();

}  // namespace ggufgate

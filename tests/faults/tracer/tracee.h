#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ggufgate::faults {

// SystemCall is one that a stopped thread is about to make, or has made.
struct SystemCall {
  bool entering = false;
  long number = 0;                         // when entering
  std::array<std::uint64_t, 6> arguments;  // when entering
};

// Trace begins in the child of a fork: the command that it becomes is traced.
void Trace();

// FollowAll makes a stopped thread's children traced as well, and kills them with the tracer.
bool FollowAll(pid_t thread);

std::optional<SystemCall> CallOf(pid_t thread);

// FileOf is the name of the file that the call gives, or what its descriptor leads to, or "".
std::string FileOf(pid_t thread, const SystemCall& call);

// Replace has the thread make another call, that does nothing and every filter here allows.
bool Replace(pid_t thread);
// SetResult changes what the thread gets, once its call is over.
bool SetResult(pid_t thread, long result);
// SetLength changes the third argument of a call that is about to be made.
bool SetLength(pid_t thread, std::uint64_t length);

// ProcessOf is the process that a thread belongs to.
pid_t ProcessOf(pid_t thread);

}  // namespace ggufgate::faults

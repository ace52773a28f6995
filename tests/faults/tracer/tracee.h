#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace ggufgate::faults {

// SystemCall is a call that a stopped thread is about to make, or has made.
struct SystemCall {
  bool entering = false;
  long number = 0;                         // at entry
  std::array<std::uint64_t, 6> arguments;  // at entry
};

// Trace runs in the child after fork(), so that the command is traced after exec.
void Trace();

// FollowAll traces a stopped thread's children as well, and kills them with the tracer.
bool FollowAll(pid_t thread);

std::optional<SystemCall> CallOf(pid_t thread);

// FileOf returns the name of the call's file, or the target of its descriptor, or "".
std::string FileOf(pid_t thread, const SystemCall& call);

// Replace replaces the call by one that has no effect and that every filter here allows.
bool Replace(pid_t thread);
// SetResult changes the result for the thread after its call.
bool SetResult(pid_t thread, long result);
// SetLength changes the third argument of a call that is about to be made.
bool SetLength(pid_t thread, std::uint64_t length);

// ProcessOf returns the process of a thread.
pid_t ProcessOf(pid_t thread);

}  // namespace ggufgate::faults

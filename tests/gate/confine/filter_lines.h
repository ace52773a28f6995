#pragma once

// Lists the system calls that a seccomp filter allows. It runs the filter, so the order in which
// libseccomp arranges the instructions does not matter.

#include <linux/filter.h>

#include <string>
#include <vector>

namespace ggufgate::testing {

using Instruction = sock_filter;

// FilterLines returns a line for each system call whose answer differs from that of unknown calls,
// with the answer and the arguments: "allow read", "allow mmap arg2&0x4==0x0", "ENOSYS clone3". Two
// lines give the answers for unknown calls, and for calls of another architecture.
[[nodiscard]] std::vector<std::string> FilterLines(const std::vector<Instruction>& filter);

}  // namespace ggufgate::testing

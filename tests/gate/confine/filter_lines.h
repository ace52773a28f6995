#pragma once

// Finds out what a seccomp filter allows by running the filter. So the arrangement by libseccomp
// does not matter.

#include <linux/filter.h>

#include <string>
#include <vector>

namespace ggufgate::testing {

using Instruction = sock_filter;

// FilterLines returns the answer, with its arguments, for each system call that differs from
// unknown ones: "allow read", "allow mmap arg2&0x4==0x0", "ENOSYS clone3". Two more lines have the
// answers for unknown calls, and for calls of another architecture.
[[nodiscard]] std::vector<std::string> FilterLines(const std::vector<Instruction>& filter);

}  // namespace ggufgate::testing

#pragma once

// What a seccomp filter allows, found by asking the filter itself: how libseccomp arranges it does
// not matter.

#include <linux/filter.h>

#include <string>
#include <vector>

namespace ggufgate::testing {

using Instruction = sock_filter;

// FilterLines says for each system call that is not answered as unknown ones are what the answer is
// and for which arguments: "allow read", "allow mmap arg2&0x4==0x0", "ENOSYS clone3". Two lines say
// how unknown calls are answered, and those of another architecture.
[[nodiscard]] std::vector<std::string> FilterLines(const std::vector<Instruction>& filter);

}  // namespace ggufgate::testing

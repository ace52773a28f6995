#pragma once

#include <cstdint>

namespace ggufgate::external {

// AllocationWatch records whether this process requests memory that cannot be provided, or more
// than `most` at once. Under a sanitizer, which has a separate allocator, it records nothing.
struct AllocationWatch {
  std::uint64_t most = 0;             // bytes; 0: off
  volatile bool* too_much = nullptr;  // set by such a request
};
extern AllocationWatch allocation_watch;

}  // namespace ggufgate::external

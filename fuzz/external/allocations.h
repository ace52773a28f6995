#pragma once

#include <cstdint>

namespace ggufgate::external {

// AllocationWatch is told of requests for memory in this process that cannot be met, or are larger
// than `most` at once. Under a sanitizer, which has an allocator of its own, it is told of none.
struct AllocationWatch {
  std::uint64_t most = 0;             // bytes; 0: nobody watches
  volatile bool* too_much = nullptr;  // set by such a request
};
extern AllocationWatch allocation_watch;

}  // namespace ggufgate::external

#pragma once

// Counts the heap of a test program. A program that links this library gets its operators new and
// delete. It must have only one thread.

#include <cstddef>

namespace ggufgate::testing {

struct CountedHeap {
  std::size_t live = 0;  // bytes allocated by operator new and not freed
  std::size_t peak = 0;  // maximum of `live`; to measure, first set it to `live`
};

extern CountedHeap counted_heap;

}  // namespace ggufgate::testing

#pragma once

// The heap of a test program, counted. A program that names this library has its operators new and
// delete; one thread runs in it.

#include <cstddef>

namespace ggufgate::testing {

struct CountedHeap {
  std::size_t live = 0;  // bytes that operator new has given out and not taken back
  std::size_t peak = 0;  // most of them at one time; whoever measures sets it to `live` first
};

extern CountedHeap counted_heap;

}  // namespace ggufgate::testing

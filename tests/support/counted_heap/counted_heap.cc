#include "tests/support/counted_heap/counted_heap.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace ggufgate::testing {

CountedHeap counted_heap;

namespace {

void* Allocate(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory == nullptr) std::abort();
  counted_heap.live += ::malloc_usable_size(memory);
  counted_heap.peak = std::max(counted_heap.peak, counted_heap.live);
  return memory;
}

void Release(void* memory) {
  if (memory != nullptr) counted_heap.live -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace
}  // namespace ggufgate::testing

using ggufgate::testing::Allocate;
using ggufgate::testing::Release;

// Compilers without sized deallocation by default do not declare these two.
void operator delete(void* memory, std::size_t size) noexcept;
void operator delete[](void* memory, std::size_t size) noexcept;

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { Release(memory); }
void operator delete[](void* memory) noexcept { Release(memory); }
void operator delete(void* memory, std::size_t) noexcept { Release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Release(memory); }

// Intercepts allocations on their way to the C library, from any part of the loader. A request for
// terabytes leaves no other trace: the loader may refuse the file, or crash like after any failed
// assertion.

#include "fuzz/external/allocations.h"

#include <cerrno>
#include <cstddef>

namespace ggufgate::external {

AllocationWatch allocation_watch;

}  // namespace ggufgate::external

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define GGUFGATE_FOREIGN_ALLOCATOR
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define GGUFGATE_FOREIGN_ALLOCATOR
#endif

#ifndef GGUFGATE_FOREIGN_ALLOCATOR

// The names in glibc of the functions that are defined below.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept;
void* calloc(std::size_t count, std::size_t size) noexcept;
void* realloc(void* old, std::size_t size) noexcept;
void* memalign(std::size_t alignment, std::size_t size) noexcept;
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept;
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept;
}

namespace {

void* Watched(void* memory, std::size_t size) {
  const ggufgate::external::AllocationWatch& watch = ggufgate::external::allocation_watch;
  if (watch.most > 0 && (size > watch.most || (memory == nullptr && size > 0))) {
    *watch.too_much = true;
  }
  return memory;
}

}  // namespace

void* malloc(std::size_t size) noexcept { return Watched(__libc_malloc(size), size); }

void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return Watched(__libc_calloc(count, size), bytes);
}

void* realloc(void* old, std::size_t size) noexcept {
  return Watched(__libc_realloc(old, size), size);
}

void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return Watched(__libc_memalign(alignment, size), size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return memalign(alignment, size);
}

int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* const memory = memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}

#endif

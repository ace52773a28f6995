// memset() and memcpy() for loaders: see clearing.h.

#include <algorithm>
#include <cstdint>

#include "rehearse/driver/clearing.h"

// The run-times of some sanitizers replace these functions as well.
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
    __has_feature(thread_sanitizer)
#define GGUFGATE_RUNTIME_HAS_THEM
#endif
#endif

#ifndef GGUFGATE_RUNTIME_HAS_THEM
extern "C" {

// The C library's functions for code with checks of sizes. They are called through variables,
// because compilers turn a direct call without a size into one of memset() or memcpy().
// NOLINTBEGIN(bugprone-reserved-identifier): their names
void* __memset_chk(void* at, int value, std::size_t size, std::size_t most) noexcept;
void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t most) noexcept;
// NOLINTEND(bugprone-reserved-identifier)

static void* (*volatile real_memset)(void*, int, std::size_t, std::size_t) noexcept = &__memset_chk;
static void* (*volatile real_memcpy)(void*, const void*, std::size_t,
                                     std::size_t) noexcept = &__memcpy_chk;

// The headers of the C library may define both inline, so they have other names here.
__attribute__((visibility("default"))) void* ggufgate_memset(void* at, int value,
                                                             std::size_t size) noexcept
    __asm__("memset");
__attribute__((visibility("default"))) void* ggufgate_memcpy(void* to, const void* from,
                                                             std::size_t size) noexcept
    __asm__("memcpy");

// NOLINTBEGIN(performance-no-int-to-ptr): inside the blocks

void* ggufgate_memset(void* at, int value, std::size_t size) noexcept {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const Pages cleared = value == 0 && size >= kLargeBlock ? GiveBack(begin, size) : Pages{};
  if (cleared.size() == 0) return real_memset(at, value, size, SIZE_MAX);
  real_memset(at, 0, cleared.begin - begin, SIZE_MAX);
  real_memset(reinterpret_cast<void*>(cleared.end), 0, size - (cleared.end - begin), SIZE_MAX);
  return at;
}

// A wrong call, whose blocks overlap, has the effect that it has without this function.
void* ggufgate_memcpy(void* to, const void* from, std::size_t size) noexcept {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const bool overlap = begin - source < size || source - begin < size;
  const Pages cleared = size >= kLargeBlock && !overlap ? GiveBack(begin, size) : Pages{};
  if (cleared.size() == 0) return real_memcpy(to, from, size, SIZE_MAX);
  const auto copy = [&](std::uintptr_t at, std::size_t bytes) {
    real_memcpy(reinterpret_cast<void*>(at), reinterpret_cast<void*>(at - begin + source), bytes,
                SIZE_MAX);
  };
  copy(begin, cleared.begin - begin);
  for (std::uintptr_t page = cleared.begin; page < cleared.end; page += kCopied) {
    const std::size_t bytes = std::min(kCopied, cleared.end - page);
    if (!IsZero(page - begin + source, bytes)) copy(page, bytes);
  }
  copy(cleared.end, size - (cleared.end - begin));
  return to;
}

// NOLINTEND(performance-no-int-to-ptr)

}  // extern "C"
#endif

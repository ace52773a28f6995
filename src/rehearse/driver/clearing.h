#pragma once

#include <cstddef>
#include <cstdint>

namespace ggufgate::driver {

// Loaders clear buffers when they allocate them, such as 640 MiB of cache for 512 tokens of Command
// R, and then use few of their pages. This program replaces memset(): of a large anonymous block
// that is set to zero, the pages are given back to the system, which supplies zeros when they are
// used. It replaces memcpy() as well, because weights of zeros make states of zeros: of a large
// anonymous destination, only the pages that get another value are written.

inline constexpr std::size_t kLargeBlock = std::size_t{4} << 20;  // bytes

// Of a copy, this many bytes at a time are written, or left as zeros.
inline constexpr std::size_t kCopied = 4096;

// Addresses of whole pages.
struct Pages {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// GiveBack makes the whole pages of [begin, begin + size) zero, releases them and returns them. It
// changes nothing and returns no pages unless all of them are private, anonymous and writable:
// others would get the content of their file, or a write to them would fail.
[[nodiscard]] Pages GiveBack(std::uintptr_t begin, std::size_t size);

// IsZero returns true if all bytes of [begin, begin + size) are 0, at most kCopied.
[[nodiscard]] bool IsZero(std::uintptr_t begin, std::size_t size);

}  // namespace ggufgate::driver

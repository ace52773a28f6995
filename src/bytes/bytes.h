#pragma once

// Bytes is the type that all modules pass around: a view that knows its length. The code that read
// the bytes owns them (for a file: the gate's prefix buffer).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// GGUFGATE_AUDITED_BEGIN and _END enclose the few lines that combine a raw pointer with a length,
// or advance one. In all other code of src/, clang's -Wunsafe-buffer-usage is an error. `git grep
// AUDITED` lists the lines that need a review.

#if defined(__clang__) && __clang_major__ >= 16
#define GGUFGATE_AUDITED_BEGIN _Pragma("clang unsafe_buffer_usage begin")
#define GGUFGATE_AUDITED_END _Pragma("clang unsafe_buffer_usage end")
#else
#define GGUFGATE_AUDITED_BEGIN
#define GGUFGATE_AUDITED_END
#endif

namespace ggufgate {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

// AsText views bytes as characters, in any encoding.
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// AsBytes views characters as bytes.
inline Bytes AsBytes(std::string_view text) {
  GGUFGATE_AUDITED_BEGIN  // pointer and length of one string_view
      return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  GGUFGATE_AUDITED_END
}

// OffsetIn returns the offset of `part` in `whole`. For bytes outside `whole`, the result is not a
// valid offset, or equals its size.
inline std::size_t OffsetIn(Bytes whole, Bytes part) {
  const auto address = [](Bytes bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()); };
  return address(part) - address(whole);
}

}  // namespace ggufgate

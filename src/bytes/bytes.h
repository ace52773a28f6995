#pragma once

// Bytes are what every room passes around: a view that knows its length. Ownership stays with
// whoever read them (for a file: the gate's prefix buffer).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// GGUFGATE_AUDITED_BEGIN and _END fence the few lines that pair a raw pointer with a length or walk
// one. Everywhere else in src/ clang's -Wunsafe-buffer-usage is an error; `git grep AUDITED` lists
// what a reviewer has to believe.

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

// AsText views bytes as characters. Nothing is promised about their encoding.
inline std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// AsBytes views characters as bytes.
inline Bytes AsBytes(std::string_view text) {
  GGUFGATE_AUDITED_BEGIN  // pointer and length come from one string_view
      return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
  GGUFGATE_AUDITED_END
}

// OffsetIn is where in `whole` a part of it begins. Of bytes that are no part of it the offset is
// none that `whole` has, or is where it ends.
inline std::size_t OffsetIn(Bytes whole, Bytes part) {
  const auto address = [](Bytes bytes) { return reinterpret_cast<std::uintptr_t>(bytes.data()); };
  return address(part) - address(whole);
}

}  // namespace ggufgate

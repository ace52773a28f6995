#pragma once

// What every function of the C interface needs: no exception leaves it, and structs of callers may
// be older or newer than ours.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "bytes/bytes.h"
#include "ggufgate/ggufgate.h"

namespace ggufgate::api {

// Guarded turns what `work` throws into a status.
template <typename Work>
[[nodiscard]] ggufgate_status Guarded(const Work& work) noexcept {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return GGUFGATE_STATUS_OUT_OF_MEMORY;
  } catch (...) {
    return GGUFGATE_STATUS_INTERNAL;
  }
}

// SpanOf pairs what a caller hands over: a pointer and how much is there.
template <typename T>
[[nodiscard]] std::span<T> SpanOf(T* data, std::size_t size) {
  GGUFGATE_AUDITED_BEGIN  // the caller hands over both
      return {data, size};
  GGUFGATE_AUDITED_END
}

[[nodiscard]] inline Bytes BytesOf(const void* data, std::size_t size) {
  return SpanOf(static_cast<const std::uint8_t*>(data), size);
}

// IsMemory tells whether a pointer may stand with this size.
[[nodiscard]] inline bool IsMemory(const void* data, std::size_t size) {
  return data != nullptr || size == 0;
}

// HasRoomFor tells whether the caller's struct, which begins with its size, has all members of T.
// It may have more, which are of a newer version, and are left alone.
template <typename T>
[[nodiscard]] bool HasRoomFor(const T* out) {
  return out != nullptr && out->size >= sizeof(T);
}

// Give hands an object over.
template <typename T>
ggufgate_status Give(std::unique_ptr<T> made, T** out) {
  *out = made.release();
  return GGUFGATE_STATUS_OK;
}

}  // namespace ggufgate::api

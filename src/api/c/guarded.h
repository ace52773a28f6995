#pragma once

// Helpers for all functions of the C interface: no exception may leave them, and structs of callers
// may be older or newer than those of this version.

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

// Guarded calls `work` and converts an exception into a status.
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

// SpanOf makes a span of a caller's pointer and size.
template <typename T>
[[nodiscard]] std::span<T> SpanOf(T* data, std::size_t size) {
  GGUFGATE_AUDITED_BEGIN  // the caller gives both
      return {data, size};
  GGUFGATE_AUDITED_END
}

[[nodiscard]] inline Bytes BytesOf(const void* data, std::size_t size) {
  return SpanOf(static_cast<const std::uint8_t*>(data), size);
}

// IsMemory tells whether a pointer is valid with this size: only size 0 allows a null pointer.
[[nodiscard]] inline bool IsMemory(const void* data, std::size_t size) {
  return data != nullptr || size == 0;
}

// HasRoomFor tells whether the caller's struct, which begins with its size, has all members of T.
// Additional members of a newer version are ignored.
template <typename T>
[[nodiscard]] bool HasRoomFor(const T* out) {
  return out != nullptr && out->size >= sizeof(T);
}

// Give transfers ownership of an object to the caller.
template <typename T>
ggufgate_status Give(std::unique_ptr<T> made, T** out) {
  *out = made.release();
  return GGUFGATE_STATUS_OK;
}

}  // namespace ggufgate::api

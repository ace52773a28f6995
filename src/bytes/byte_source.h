#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// ReadOutcome is the result of ReadAt. Only after kComplete does `out` contain the bytes of the
// file.
struct ReadOutcome {
  enum class Kind : std::uint8_t {
    kComplete,
    kShrunk,  // the source ended before its size: it was truncated meanwhile
    kFailed,  // a system call failed; see error_number
  };
  Kind kind = Kind::kComplete;
  int error_number = 0;  // errno if kind is kFailed

  [[nodiscard]] bool complete() const { return kind == Kind::kComplete; }
};

// ByteSource has a size and bytes that can be read at any offset: a file, memory, or the buffered
// part of a pipe. Implementations are thread-safe.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // size returns the size in bytes, determined when the source was opened.
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  // ReadAt fills `out` with the bytes from `offset` on. If any of them do not exist, such as after
  // size(), the outcome is kShrunk, and the contents of `out` are unspecified.
  [[nodiscard]] virtual ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const = 0;

  // NextData returns the offset of the next byte from `offset` on that may not be 0, or size(). It
  // skips the holes of a sparse file, which read as zeros. A source without this information
  // returns `offset`.
  [[nodiscard]] virtual std::uint64_t NextData(std::uint64_t offset) const { return offset; }

  // far_away: requests are slow and bytes are expensive, as over a network. Callers should make few
  // reads, and read little more than they need.
  [[nodiscard]] virtual bool far_away() const { return false; }

  // forward_only: earlier bytes may not be available any more, as in a pipe.
  [[nodiscard]] virtual bool forward_only() const { return false; }
};

}  // namespace ggufgate

#pragma once

#include <cstdint>

#include "bytes/bytes.h"

namespace ggufgate {

// ReadOutcome tells how a ReadAt ended. Only kComplete means that `out` holds the file's bytes.
struct ReadOutcome {
  enum class Kind : std::uint8_t {
    kComplete,
    kShrunk,  // the source ended before its own size: it changed under us
    kFailed,  // the system refused; see error_number
  };
  Kind kind = Kind::kComplete;
  int error_number = 0;  // errno when kind is kFailed

  [[nodiscard]] bool complete() const { return kind == Kind::kComplete; }
};

// ByteSource is something with a size whose bytes can be read at any place: a file, memory, or, as
// far as they are held, what came through a pipe. Implementations are safe to call from several
// threads at once.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // size in bytes, taken once when the source was opened.
  [[nodiscard]] virtual std::uint64_t size() const = 0;

  // ReadAt fills `out` with the bytes from `offset`. Asking past size() is kShrunk, like any other
  // byte that is not there; nothing is promised about `out` then.
  [[nodiscard]] virtual ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const = 0;

  // NextData is where the first byte from `offset` on lies that may be other than 0; size() when
  // there is none. What is passed over are the holes of a sparse file, which read as zeros. A
  // source that does not know gives `offset`.
  [[nodiscard]] virtual std::uint64_t NextData(std::uint64_t offset) const { return offset; }

  // far_away: to ask takes long, and bytes have a price, as over a network: who reads takes little
  // more than is needed, in few reads.
  [[nodiscard]] virtual bool far_away() const { return false; }

  // forward_only: bytes far behind the last that were read may be gone, as those of a pipe are.
  [[nodiscard]] virtual bool forward_only() const { return false; }
};

}  // namespace ggufgate

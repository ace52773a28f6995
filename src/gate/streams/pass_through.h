#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate {

// PassThrough writes on what has been judged of a stream, in order. The last kHeldBack bytes stay
// until Finish(): who reads it has all of a file only where that was accepted.
//
// One thread takes and settles; any may stop it.
class PassThrough {
 public:
  static constexpr std::size_t kHeldBack = std::size_t{64} << 10;

  // The descriptor stays the caller's.
  explicit PassThrough(int descriptor) : descriptor_(descriptor) {}

  // Take is given the bytes that come next. They are kept until they are judged.
  void Take(Bytes bytes);

  // Settle says that all that was taken is judged and sound, as far as it can be by then. False
  // when it was stopped or cannot write: then no more is to be read either.
  [[nodiscard]] bool Settle();

  // Stop is said of what is rejected: nothing is written any more.
  void Stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }

  // Finish writes what was held back; of what is accepted. False when that cannot be written.
  [[nodiscard]] bool Finish();

  // error_number is that of the write that failed; 0 when none has.
  [[nodiscard]] int error_number() const { return error_number_; }

 private:
  // Write lets the first `size` bytes go.
  [[nodiscard]] bool Write(std::size_t size);

  int descriptor_;
  std::vector<std::uint8_t> kept_;
  std::atomic<bool> stopped_ = false;
  int error_number_ = 0;
};

}  // namespace ggufgate

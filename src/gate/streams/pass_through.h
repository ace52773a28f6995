#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate {

// PassThrough writes the checked part of a stream, in order. It holds back the last kHeldBack bytes
// until Finish(), so a reader gets a complete file only if it was accepted.
//
// One thread calls Take and Settle; any thread may call Stop.
class PassThrough {
 public:
  static constexpr std::size_t kHeldBack = std::size_t{64} << 10;

  // The caller owns the descriptor.
  explicit PassThrough(int descriptor) : descriptor_(descriptor) {}

  // Take accepts the next bytes. It keeps them until they are checked.
  void Take(Bytes bytes);

  // Settle states that all bytes so far are checked and valid, as far as that can be known. It
  // returns false if writing was stopped or failed: then reading must stop, too.
  [[nodiscard]] bool Settle();

  // Stop ends all writing, because the stream is rejected.
  void Stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_; }

  // Finish writes the bytes held back, after the stream was accepted. It returns false if writing
  // fails.
  [[nodiscard]] bool Finish();

  // error_number returns the errno of the write that failed, or 0.
  [[nodiscard]] int error_number() const { return error_number_; }

 private:
  // Write writes the first `size` bytes.
  [[nodiscard]] bool Write(std::size_t size);

  int descriptor_;
  std::vector<std::uint8_t> kept_;
  std::atomic<bool> stopped_ = false;
  int error_number_ = 0;
};

}  // namespace ggufgate

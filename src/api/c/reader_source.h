#pragma once

#include <cstdint>
#include <mutex>

#include "bytes/byte_source.h"
#include "ggufgate/ggufgate.h"

namespace ggufgate::api {

// ReaderSource is a file that a function of the caller reads. Only one thread at a time calls that
// function, with ranges within the size. Bytes that it does not write are zeros. So a faulty
// function cannot make the check read uninitialized memory.
class ReaderSource final : public ByteSource {
 public:
  explicit ReaderSource(const ggufgate_reader& reader) : reader_(reader) {}

  [[nodiscard]] std::uint64_t size() const override { return reader_.file_size; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] bool far_away() const override { return true; }

 private:
  const ggufgate_reader reader_;
  mutable std::mutex mutex_;
};

// IsReader tells whether a caller's reader is usable.
[[nodiscard]] bool IsReader(const ggufgate_reader* reader);

}  // namespace ggufgate::api

#pragma once

#include <cstdint>
#include <mutex>

#include "bytes/byte_source.h"
#include "ggufgate/ggufgate.h"

namespace ggufgate::api {

// ReaderSource is a file that a function of the caller reads. That is asked by one thread at a
// time, for bytes within the size only, and what it leaves unwritten is zeros: whatever it does
// short of writing elsewhere, what is judged are bytes.
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

// IsReader tells whether a reader of a caller can be used.
[[nodiscard]] bool IsReader(const ggufgate_reader* reader);

}  // namespace ggufgate::api

#pragma once

#include "bytes/byte_source.h"

namespace ggufgate {

// FileSource reads an open descriptor with pread. It maps nothing, so a truncated file causes the
// outcome kShrunk and never a SIGBUS.
class FileSource final : public ByteSource {
 public:
  // Borrows `descriptor`, which must stay open and allow reads at any offset (a regular file, a
  // memfd). `size` is the size from fstat.
  FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  // Preserves the offset of the descriptor, because others may share it.
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override;

 private:
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace ggufgate

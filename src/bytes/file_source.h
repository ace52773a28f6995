#pragma once

#include "bytes/byte_source.h"

namespace ggufgate {

// FileSource reads an open descriptor with pread. Nothing is mapped, so a file that shrinks under
// us is an outcome (kShrunk) and never a SIGBUS.
class FileSource final : public ByteSource {
 public:
  // Borrows `descriptor`, which must stay open and be readable at any offset (a regular file, a
  // memfd). `size` is what fstat said of it.
  FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  // Leaves the offset of the descriptor, which others may share, where it was.
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override;

 private:
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace ggufgate

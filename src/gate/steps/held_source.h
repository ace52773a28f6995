#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// HeldSource is a file whose parts a caller hands over on request: its front, and pages behind it.
// A read of a missing page gets zeros, and the source notes the page. So one pass of the rules
// finds all missing pages. Its findings do not count, and the rules run again once the pages have
// come.
class HeldSource final : public ByteSource {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  // 64 MiB: the rules read less than half of that behind the metadata of any file.
  static constexpr std::size_t kMostPages = 16384;

  explicit HeldSource(std::uint64_t size) : size_(size) {}

  // The front outlives the source, and holds the first bytes of the file.
  void SetFront(Bytes front) { front_ = front; }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;

  // TakeMissing gives what reads lacked since it was last asked, in the order of the file, each a
  // number of pages, of at most `most` bytes and cut at the end of the file.
  [[nodiscard]] std::vector<ByteRange> TakeMissing(std::uint64_t most);
  // Keep takes the bytes of a missing range. False: there are too many.
  [[nodiscard]] bool Keep(std::uint64_t offset, Bytes bytes);

 private:
  struct Page {
    std::uint64_t number = 0;
    std::vector<std::uint8_t> bytes = {};  // empty: all are 0
  };

  // The place of a page, or where it would be put.
  [[nodiscard]] std::vector<Page>::const_iterator PageFrom(std::uint64_t number) const;

  std::uint64_t size_;
  Bytes front_;
  std::vector<Page> pages_;  // in the order of the file
  std::size_t full_pages_ = 0;
  mutable std::vector<std::uint64_t> missing_;  // numbers of pages
};

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// HeldSource is a file whose parts a caller supplies on request: its front, and pages after it. A
// read of a missing page returns zeros, and the source notes the page. So one run of the rules
// finds all missing pages. Its findings do not count, and the rules run again once the pages have
// come.
class HeldSource final : public ByteSource {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  // 64 MiB. After the metadata, the rules read less than half of that from any file.
  static constexpr std::size_t kMostPages = 16384;

  explicit HeldSource(std::uint64_t size) : size_(size) {}

  // SetFront sets the first bytes of the file. They must outlive the source.
  void SetFront(Bytes front) { front_ = front; }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;

  // TakeMissing returns the ranges that reads lacked since the last call, in the order of the file.
  // Each has whole pages, cut at the end of the file, and at most `most` bytes.
  [[nodiscard]] std::vector<ByteRange> TakeMissing(std::uint64_t most);
  // Keep stores the bytes of a missing range. It returns false if there are too many pages.
  [[nodiscard]] bool Keep(std::uint64_t offset, Bytes bytes);

 private:
  struct Page {
    std::uint64_t number = 0;
    std::vector<std::uint8_t> bytes = {};  // empty: all are 0
  };

  // PageFrom returns the position of a page, or the position where it would be inserted.
  [[nodiscard]] std::vector<Page>::const_iterator PageFrom(std::uint64_t number) const;

  std::uint64_t size_;
  Bytes front_;
  std::vector<Page> pages_;  // in the order of the file
  std::size_t full_pages_ = 0;
  mutable std::vector<std::uint64_t> missing_;  // numbers of pages
};

}  // namespace ggufgate

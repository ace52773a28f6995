#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// HeldSource is a file of which somebody else hands over the parts that are asked for: its front,
// and pages behind it. A read of what has not come gets zeros, and the pages are noted, so that one
// pass of the rules tells all that it lacks; what it found then counts for nothing, and it is made
// again when they have come.
class HeldSource final : public ByteSource {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  // 64 MiB: more than twice what the rules read behind the metadata of any file.
  static constexpr std::size_t kMostPages = 16384;

  explicit HeldSource(std::uint64_t size) : size_(size) {}

  // The front outlives the source, and holds the first bytes of the file.
  void SetFront(Bytes front) { front_ = front; }

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;

  // TakeMissing gives what reads lacked since it was last asked, in the order of the file, each a
  // number of pages, of at most `most` bytes and cut at the end of the file.
  [[nodiscard]] std::vector<ByteRange> TakeMissing(std::uint64_t most);
  // Keep takes the bytes of a range that was missing; false where there are too many.
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

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate {

// SparsePages keeps bytes that arrive in the order of their file offsets. Pages of zeros take no
// memory. Bytes that were never added read as zeros.
class SparsePages {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  // It keeps at most `most_pages`. The first byte that does not fit, and all bytes after it, are
  // lost.
  explicit SparsePages(std::size_t most_pages) : most_pages_(most_pages) {}

  // Add keeps bytes whose offset is above that of all earlier bytes.
  void Add(std::uint64_t offset, Bytes bytes);

  // Read fills `out` with the bytes from `offset`. It returns false if one of them is lost.
  [[nodiscard]] bool Read(std::uint64_t offset, MutableBytes out) const;

  // NextData returns the offset of the first byte from `offset` on that may differ from 0, or
  // UINT64_MAX.
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const;

 private:
  struct Page {
    std::uint64_t begin;  // file offset, a multiple of kPageBytes
    std::array<std::uint8_t, kPageBytes> bytes;
  };

  // PageFrom returns the first page that ends after `offset`.
  [[nodiscard]] std::vector<Page>::const_iterator PageFrom(std::uint64_t offset) const;
  void AddToPage(std::uint64_t page, std::uint64_t offset, Bytes bytes);

  std::size_t most_pages_;
  std::vector<Page> pages_;  // in the order of the file
  std::uint64_t lost_from_ = UINT64_MAX;
};

}  // namespace ggufgate

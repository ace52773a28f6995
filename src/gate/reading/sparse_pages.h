#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bytes/bytes.h"

namespace ggufgate {

// SparsePages keeps bytes that come in the order of their places in a file, and takes no memory for
// pages of zeros. What was never added reads as zeros, too.
class SparsePages {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;

  // At most `most_pages` are kept; from the first byte on that found no room all are lost.
  explicit SparsePages(std::size_t most_pages) : most_pages_(most_pages) {}

  // Add keeps bytes that lie behind all that were added before.
  void Add(std::uint64_t offset, Bytes bytes);

  // Read fills `out` with the bytes from `offset`; false when one of them is lost.
  [[nodiscard]] bool Read(std::uint64_t offset, MutableBytes out) const;

  // NextData is where the first byte from `offset` on lies that may be other than 0; UINT64_MAX
  // when there is none.
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const;

 private:
  struct Page {
    std::uint64_t begin;  // in the file, a multiple of kPageBytes
    std::array<std::uint8_t, kPageBytes> bytes;
  };

  // The first page that ends behind `offset`.
  [[nodiscard]] std::vector<Page>::const_iterator PageFrom(std::uint64_t offset) const;
  void AddToPage(std::uint64_t page, std::uint64_t offset, Bytes bytes);

  std::size_t most_pages_;
  std::vector<Page> pages_;  // in the order of the file
  std::uint64_t lost_from_ = UINT64_MAX;
};

}  // namespace ggufgate

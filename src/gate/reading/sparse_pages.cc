#include "gate/reading/sparse_pages.h"

#include <algorithm>

#include "bytes/zeros.h"

namespace ggufgate {

void SparsePages::Add(std::uint64_t offset, Bytes bytes) {
  while (!bytes.empty() && lost_from_ == UINT64_MAX) {
    const std::uint64_t in_page = offset % kPageBytes;
    const std::uint64_t size = std::min<std::uint64_t>(bytes.size(), kPageBytes - in_page);
    const Bytes piece = bytes.first(size);
    if (CountZeros(piece) != size) AddToPage(offset - in_page, offset, piece);
    bytes = bytes.subspan(size);
    offset += size;
  }
}

void SparsePages::AddToPage(std::uint64_t page, std::uint64_t offset, Bytes bytes) {
  if (pages_.empty() || pages_.back().begin != page) {
    if (pages_.size() == most_pages_) {
      lost_from_ = offset;
      return;
    }
    pages_.push_back({.begin = page, .bytes = {}});
  }
  std::ranges::copy(bytes, MutableBytes(pages_.back().bytes).subspan(offset - page).begin());
}

std::vector<SparsePages::Page>::const_iterator SparsePages::PageFrom(std::uint64_t offset) const {
  return std::ranges::lower_bound(pages_, offset - offset % kPageBytes, {}, &Page::begin);
}

bool SparsePages::Read(std::uint64_t offset, MutableBytes out) const {
  if (out.empty()) return true;
  const std::uint64_t end = offset + out.size();
  if (end > lost_from_) return false;
  std::ranges::fill(out, std::uint8_t{0});
  for (auto page = PageFrom(offset); page != pages_.end() && page->begin < end; ++page) {
    const std::uint64_t from = std::max(offset, page->begin);
    const std::uint64_t to = std::min(end, page->begin + kPageBytes);
    std::ranges::copy(Bytes(page->bytes).subspan(from - page->begin, to - from),
                      out.subspan(from - offset).begin());
  }
  return true;
}

std::uint64_t SparsePages::NextData(std::uint64_t offset) const {
  const auto page = PageFrom(offset);
  const std::uint64_t next = page == pages_.end() ? UINT64_MAX : std::max(page->begin, offset);
  return std::min(next, std::max(lost_from_, offset));
}

}  // namespace ggufgate

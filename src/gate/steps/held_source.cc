#include "gate/steps/held_source.h"

#include <algorithm>
#include <utility>

namespace ggufgate {

ReadOutcome HeldSource::ReadAt(std::uint64_t offset, MutableBytes out) const {
  if (!ByteRange{.begin = offset, .size = out.size()}.FitsIn(size_)) {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }
  while (!out.empty()) {
    MutableBytes some = out;
    if (offset < front_.size()) {
      some = out.first(std::min<std::uint64_t>(out.size(), front_.size() - offset));
      std::ranges::copy(front_.subspan(offset, some.size()), some.begin());
    } else {
      const std::uint64_t number = offset / kPageBytes;
      const std::uint64_t at = offset % kPageBytes;
      some = out.first(std::min<std::uint64_t>(out.size(), kPageBytes - at));
      std::ranges::fill(some, std::uint8_t{0});
      const auto page = PageFrom(number);
      if (page == pages_.end() || page->number != number) {
        if (missing_.empty() || missing_.back() != number) missing_.push_back(number);
      } else if (!page->bytes.empty()) {
        std::ranges::copy(Bytes(page->bytes).subspan(at, some.size()), some.begin());
      }
    }
    out = out.subspan(some.size());
    offset += some.size();
  }
  return {};
}

std::vector<ByteRange> HeldSource::TakeMissing(std::uint64_t most) {
  std::vector<std::uint64_t> numbers = std::exchange(missing_, {});
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  std::vector<ByteRange> ranges;
  for (const std::uint64_t number : numbers) {
    const std::uint64_t begin = number * kPageBytes;  // a page of the file
    const std::uint64_t size = std::min(kPageBytes, size_ - begin);
    if (!ranges.empty() && ranges.back().End() == begin && ranges.back().size + size <= most) {
      ranges.back().size += size;
    } else {
      ranges.push_back({begin, size});
    }
  }
  return ranges;
}

bool HeldSource::Keep(std::uint64_t offset, Bytes bytes) {
  std::vector<Page> pages;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(bytes.size(), kPageBytes))) {
    const Bytes some = bytes.first(std::min<std::size_t>(bytes.size(), kPageBytes));
    Page page{.number = offset / kPageBytes};
    if (std::ranges::any_of(some, [](std::uint8_t byte) { return byte != 0; })) {
      if (++full_pages_ > kMostPages) return false;
      page.bytes.resize(kPageBytes);
      std::ranges::copy(some, page.bytes.begin());
    }
    pages.push_back(std::move(page));
    offset += some.size();
  }
  if (pages.empty()) return true;
  pages_.insert(PageFrom(pages.front().number), std::make_move_iterator(pages.begin()),
                std::make_move_iterator(pages.end()));
  return true;
}

std::vector<HeldSource::Page>::const_iterator HeldSource::PageFrom(std::uint64_t number) const {
  return std::ranges::lower_bound(pages_, number, {}, &Page::number);
}

}  // namespace ggufgate

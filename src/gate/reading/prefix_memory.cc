#include "gate/reading/prefix_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "bytes/bytes.h"
#include "bytes/checked.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

// A small buffer has exactly the requested size, so that AddressSanitizer detects an access past
// its end.
void* Allocate(std::uint64_t size) {
  if (size < kHugePage) return std::malloc(size == 0 ? 1 : size);
  const auto room = CheckedAlignUp(size, kHugePage);
  if (!room) return nullptr;
  void* memory = std::aligned_alloc(kHugePage, *room);
  // Only a hint: without huge pages the buffer also works, but slower.
  if (memory != nullptr) ::madvise(memory, *room, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

PrefixMemory::PrefixMemory(std::uint64_t size)
    : memory_(static_cast<std::uint8_t*>(Allocate(size))), size_(size) {
  if (memory_ == nullptr) throw std::bad_alloc();
}

MutableBytes PrefixMemory::bytes() const {
  GGUFGATE_AUDITED_BEGIN  // allocated with this size
      return {memory_.get(), size_};
  GGUFGATE_AUDITED_END
}

void PrefixMemory::FillSoon(std::uint64_t size) const {
#ifdef MADV_POPULATE_WRITE  // Linux 5.14
  constexpr std::uint64_t kPage = 4096;
  constexpr std::uint64_t kFew = 8 * kPage;  // fewer cost less than a system call
  size = std::min(size, size_);
  if (size < kFew || size_ >= kHugePage) return;
  // The first page may contain other data: populating does not change them.
  const std::uint64_t before = reinterpret_cast<std::uintptr_t>(memory_.get()) % kPage;
  GGUFGATE_AUDITED_BEGIN  // the page that the memory begins in
      ::madvise(memory_.get() - before, before + size, MADV_POPULATE_WRITE);
  GGUFGATE_AUDITED_END
#endif
}

void PrefixMemory::Free::operator()(std::uint8_t* memory) const { std::free(memory); }

}  // namespace ggufgate

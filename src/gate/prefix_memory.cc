#include "gate/prefix_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "bytes/audited.h"
#include "bytes/checked.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
constexpr std::uint64_t kLine = 64;  // of the cache

}  // namespace

PrefixMemory::PrefixMemory(std::uint64_t size) : size_(size) {
  const bool huge = size >= kHugePage;
  const std::uint64_t alignment = huge ? kHugePage : kLine;
  // At least one line: an empty file has memory to point to, too.
  const auto room = CheckedAlignUp(size == 0 ? kLine : size, alignment);
  if (!room) throw std::bad_alloc();
  memory_.reset(static_cast<std::uint8_t*>(std::aligned_alloc(alignment, *room)));
  if (memory_ == nullptr) throw std::bad_alloc();
  // Only a wish: without huge pages all works as well, only slower.
  if (huge) ::madvise(memory_.get(), *room, MADV_HUGEPAGE);
}

MutableBytes PrefixMemory::bytes() const {
  GGUFGATE_AUDITED_BEGIN  // allocated with this size
      return {memory_.get(), size_};
  GGUFGATE_AUDITED_END
}

void PrefixMemory::Free::operator()(std::uint8_t* memory) const { std::free(memory); }

}  // namespace ggufgate

#include "gate/reading/prefix_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "bytes/bytes.h"
#include "bytes/checked.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;

// Small room is exactly as large as asked for, so that AddressSanitizer sees a step past its end.
void* Allocate(std::uint64_t size) {
  if (size < kHugePage) return std::malloc(size == 0 ? 1 : size);
  const auto room = CheckedAlignUp(size, kHugePage);
  if (!room) return nullptr;
  void* memory = std::aligned_alloc(kHugePage, *room);
  // Only a wish: without huge pages all works as well, only slower.
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

void PrefixMemory::Free::operator()(std::uint8_t* memory) const { std::free(memory); }

}  // namespace ggufgate

#include "tests/oracles/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

namespace ggufgate::fuzz {
namespace {

// Room is writable pages, followed by one that cannot be accessed.
class Room {
 public:
  // Last returns the last `size` bytes before the inaccessible page.
  MutableBytes Last(std::size_t size) {
    if (size > pages_.size()) Map(size);
    return pages_.last(size);
  }

 private:
  void Map(std::size_t size) {
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t whole = std::bit_ceil(std::max(size, page));
    if (!pages_.empty()) ::munmap(pages_.data(), pages_.size() + page);
    void* const begin =
        ::mmap(nullptr, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) std::abort();
    pages_ = {static_cast<std::uint8_t*>(begin), whole};
    if (::mprotect(pages_.data() + whole, page, PROT_NONE) != 0) std::abort();
  }

  MutableBytes pages_;
};

}  // namespace

GuardedCopy::GuardedCopy(Bytes bytes, std::size_t place) {
  static std::array<Room, 2> rooms;
  const MutableBytes copy = rooms.at(place).Last(bytes.size());
  std::ranges::copy(bytes, copy.begin());
  bytes_ = copy;
}

}  // namespace ggufgate::fuzz

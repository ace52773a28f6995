#include "rehearse/driver/interposed.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace ggufgate::driver {
namespace {

struct Replaced {
  bool on = false;
  dev_t device = 0;
  ino_t inode = 0;
  std::uint64_t front_bytes = 0;
};
Replaced replaced;

using Lookup = void* (*)(void*, const char*);
Lookup real_lookup = nullptr;
bool leaves_order = false;
bool was_asked = false;

bool IsModel(int descriptor) {
  struct stat facts = {};
  return replaced.on && descriptor >= 0 && ::fstat(descriptor, &facts) == 0 &&
         facts.st_dev == replaced.device && facts.st_ino == replaced.inode;
}

void* Map(void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): as the system returns it
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}

// The mapping is private and can be written, as the caller cannot tell from a shared one that it
// only reads. Pages that nobody writes to are all the one page of zeros.
void* MapZeros(void* at, std::size_t size, int flags, int descriptor, off_t offset) {
  const int kept = flags & MAP_FIXED;
  void* const zeros = Map(at, size, PROT_READ | PROT_WRITE,
                          kept | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) return zeros;
  ::madvise(zeros, size, MADV_HUGEPAGE);  // a page of zeros there is 2 MiB
  const auto begin = static_cast<std::uint64_t>(offset);
  if (begin >= replaced.front_bytes) return zeros;
  const std::size_t front = std::min<std::uint64_t>(size, replaced.front_bytes - begin);
  if (::pread(descriptor, zeros, front, offset) == static_cast<ssize_t>(front)) return zeros;
  ::munmap(zeros, size);
  errno = EIO;
  return MAP_FAILED;
}

}  // namespace

void ReplaceWeights(int descriptor, std::uint64_t front_bytes) {
  struct stat facts = {};
  if (::fstat(descriptor, &facts) != 0) return;
  replaced = {
      .on = true, .device = facts.st_dev, .inode = facts.st_ino, .front_bytes = front_bytes};
}

void UseRealLookup(void* lookup, bool in_order) {
  real_lookup = reinterpret_cast<Lookup>(lookup);
  leaves_order = in_order;
}

bool WeightsWereLeft() { return was_asked; }

}  // namespace ggufgate::driver

extern "C" {

__attribute__((visibility("default"))) void* mmap(void* at, std::size_t size, int protection,
                                                  int flags, int descriptor,
                                                  off_t offset) noexcept {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  if ((flags & MAP_ANONYMOUS) == 0 && IsModel(descriptor) && offset >= 0) {
    return MapZeros(at, size, flags, descriptor, offset);
  }
  return Map(at, size, protection, flags, descriptor, offset);
}

__attribute__((visibility("default"))) void* mmap64(void* at, std::size_t size, int protection,
                                                    int flags, int descriptor,
                                                    off_t offset) noexcept {
  return ::mmap(at, size, protection, flags, descriptor, offset);
}

__attribute__((visibility("default"))) void* ggml_backend_reg_get_proc_address(void* backend,
                                                                               const char* name);

// Of ggml: libllama asks a backend by it for functions that not all backends have.
__attribute__((visibility("default"))) void* ggml_backend_reg_get_proc_address(void* backend,
                                                                               const char* name) {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  if (leaves_order && std::strcmp(name, "ggml_backend_dev_get_extra_bufts") == 0) {
    was_asked = true;
    return nullptr;
  }
  return real_lookup != nullptr ? real_lookup(backend, name) : nullptr;
}

}  // extern "C"

#include "rehearse/driver/interposed.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "bytes/checked.h"
#include "rehearse/driver_record.h"

namespace ggufgate::driver {
namespace {

struct Replaced {
  dev_t device = 0;
  ino_t inode = 0;
  int zeros = -1;
  std::uint64_t front_bytes = 0;  // a multiple of the page size
};
std::array<Replaced, kMostStandIns> replaced;
std::size_t replaced_count = 0;

using Lookup = void* (*)(void*, const char*);
Lookup real_lookup = nullptr;
bool looks_further = false;
bool leaves_order = false;
bool was_asked = false;

// ShardOf returns the replaced file of a descriptor, or nullptr.
const Replaced* ShardOf(int descriptor) {
  struct stat facts = {};
  if (replaced_count == 0 || descriptor < 0 || ::fstat(descriptor, &facts) != 0) return nullptr;
  for (std::size_t i = 0; i < replaced_count; ++i) {
    const Replaced& shard = replaced.at(i);
    if (facts.st_dev == shard.device && facts.st_ino == shard.inode) return &shard;
  }
  return nullptr;
}

void* Map(void* at, std::size_t size, int protection, int flags, int descriptor, off_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): as the system returns it
  return reinterpret_cast<void*>(
      ::syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}

// Uses addresses as numbers, because it never accesses the memory there.
void* MapAt(std::uintptr_t at, std::size_t size, int protection, int descriptor,
            std::uint64_t offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return Map(reinterpret_cast<void*>(at), size, protection, MAP_PRIVATE | MAP_FIXED, descriptor,
             static_cast<off_t>(offset));
}

// Fill maps the front of the model into [at, at + size), and zeros after it. All zeros share the
// same few pages. Anonymous memory would not do this on all kernels when it is only read.
bool Fill(const Replaced& shard, std::uintptr_t at, std::size_t size, int protection,
          int descriptor, std::uint64_t offset) {
  for (std::size_t done = 0; done < size;) {
    const bool front = offset + done < shard.front_bytes;
    const std::uint64_t most = front ? shard.front_bytes - (offset + done) : kZeroBytes;
    const std::size_t piece = std::min<std::uint64_t>(size - done, most);
    const void* const mapped = front
                                   ? MapAt(at + done, piece, protection, descriptor, offset + done)
                                   : MapAt(at + done, piece, protection, shard.zeros, 0);
    if (mapped == MAP_FAILED) return false;
    done += piece;
  }
  return true;
}

// The mapping is private: a caller that only reads cannot distinguish it from a shared one.
void* MapModel(const Replaced& shard, void* at, std::size_t size, int protection, int flags,
               int descriptor, off_t offset) {
  void* const place = Map(at, size, PROT_NONE,
                          (flags & MAP_FIXED) | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return place;
  if (Fill(shard, reinterpret_cast<std::uintptr_t>(place), size, protection, descriptor,
           static_cast<std::uint64_t>(offset))) {
    return place;
  }
  ::munmap(place, size);
  errno = ENOMEM;
  return MAP_FAILED;
}

}  // namespace

void ReplaceWeights(int model, int zeros, std::uint64_t front_bytes) {
  struct stat facts = {};
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::optional<std::uint64_t> whole = CheckedAlignUp(front_bytes, page);
  if (::fstat(model, &facts) != 0 || !whole || replaced_count == replaced.size()) return;
  replaced.at(replaced_count++) = {
      .device = facts.st_dev, .inode = facts.st_ino, .zeros = zeros, .front_bytes = *whole};
}

void UseRealLookup(void* lookup, bool in_order) {
  real_lookup = reinterpret_cast<Lookup>(lookup);
  leaves_order = in_order;
}

void UseNextLookup(bool in_order) {
  looks_further = true;
  leaves_order = in_order;
}

bool WeightsWereLeft() { return was_asked; }

}  // namespace ggufgate::driver

extern "C" {

__attribute__((visibility("default"))) void* mmap(void* at, std::size_t size, int protection,
                                                  int flags, int descriptor,
                                                  off_t offset) noexcept {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  const Replaced* const shard = (flags & MAP_ANONYMOUS) == 0 ? ShardOf(descriptor) : nullptr;
  if (shard != nullptr && offset >= 0) {
    return MapModel(*shard, at, size, protection, flags, descriptor, offset);
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

// A function of ggml. libllama calls it to get functions of a backend that not all backends have.
__attribute__((visibility("default"))) void* ggml_backend_reg_get_proc_address(void* backend,
                                                                               const char* name) {
  using namespace ggufgate::driver;  // NOLINT: C cannot name it
  if (leaves_order && std::strcmp(name, "ggml_backend_dev_get_extra_bufts") == 0) {
    was_asked = true;
    return nullptr;
  }
  if (real_lookup == nullptr && looks_further) {
    real_lookup = reinterpret_cast<Lookup>(::dlsym(RTLD_NEXT, __func__));
  }
  return real_lookup != nullptr ? real_lookup(backend, name) : nullptr;
}

}  // extern "C"

#include "gate/reading/sealed_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>

namespace ggufgate {

absl::StatusOr<Descriptor> NewMemory() {
  Descriptor memory(::memfd_create("ggufgate", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.valid()) return absl::ErrnoToStatus(errno, "cannot make a file in memory");
  return memory;
}

absl::Status Seal(const Descriptor& memory) {
  constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (::fcntl(memory.get(), F_ADD_SEALS, kSeals) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, "cannot seal the copy");
}

}  // namespace ggufgate

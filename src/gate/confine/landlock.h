#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace ggufgate {

// LandlockVersion asks the kernel for the version of the interface: 0 or less where there is none.
[[nodiscard]] long LandlockVersion();
// LandlockIsAvailable: an error when the kernel does not say.
[[nodiscard]] absl::StatusOr<bool> LandlockIsAvailable();

// Network is what is left of it: nothing, or connections to others.
enum class Network { kNone, kConnects };

// RestrictFiles leaves the calling thread, and all it starts, with nothing of the file system but
// reading the `readable` files, and those below `readable` folders. OK, too, on kernels that have
// no Landlock. Source: Documentation/userspace-api/landlock.rst in Linux.
// The `listed` folders, and those below them, can be listed. The `executable` files, and those
// below `executable` folders, can be read and executed.
[[nodiscard]] absl::Status RestrictFiles(const std::vector<std::string>& readable,
                                         Network network = Network::kNone,
                                         const std::vector<std::string>& listed = {},
                                         const std::vector<std::string>& executable = {});

}  // namespace ggufgate

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

// RestrictFiles leaves the calling thread, and all it starts, with nothing of the file system but
// reading the `readable` files. OK, too, on kernels that have no Landlock.
// Source: Documentation/userspace-api/landlock.rst in Linux.
[[nodiscard]] absl::Status RestrictFiles(const std::vector<std::string>& readable);

}  // namespace ggufgate

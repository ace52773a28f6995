#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace ggufgate {

// LandlockVersion returns the version of the kernel's Landlock interface. It returns 0 or less if
// the kernel lacks Landlock.
[[nodiscard]] long LandlockVersion();
// LandlockIsAvailable returns an error if the kernel gives no answer.
[[nodiscard]] absl::StatusOr<bool> LandlockIsAvailable();

// Network is the network access that a process keeps: none, or outgoing connections.
enum class Network { kNone, kConnects };

// RestrictFiles limits the calling thread, and all threads and processes that it starts. They can
// read the `readable` files and the files below `readable` folders, and list the `listed` folders
// and those below them. They can read and execute the `executable` files and the files below
// `executable` folders. They cannot access the file system in any other way. It also returns OK on
// kernels without Landlock. Source: Documentation/userspace-api/landlock.rst in Linux.
[[nodiscard]] absl::Status RestrictFiles(const std::vector<std::string>& readable,
                                         Network network = Network::kNone,
                                         const std::vector<std::string>& listed = {},
                                         const std::vector<std::string>& executable = {});

}  // namespace ggufgate

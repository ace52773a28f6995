#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// NewMemory makes a file in memory, which has no name and can be sealed.
[[nodiscard]] absl::StatusOr<Descriptor> NewMemory();

// Seal sees that nobody, its owner included, changes such a file any more.
[[nodiscard]] absl::Status Seal(const Descriptor& memory);

}  // namespace ggufgate

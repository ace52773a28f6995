#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// NewMemory makes a file in memory. The file has no name and can be sealed.
[[nodiscard]] absl::StatusOr<Descriptor> NewMemory();

// Seal makes such a file unchangeable, also for its owner.
[[nodiscard]] absl::Status Seal(const Descriptor& memory);

}  // namespace ggufgate

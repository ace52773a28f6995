#pragma once

#include <optional>

#include "absl/status/status.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// SendSocket sends a descriptor to the reader of `control`, a socket that preserves message
// boundaries.
[[nodiscard]] absl::Status SendSocket(int control, int socket);

// ReceiveSocket waits for a descriptor. It returns nullopt at the end.
[[nodiscard]] std::optional<Descriptor> ReceiveSocket(int control);

}  // namespace ggufgate

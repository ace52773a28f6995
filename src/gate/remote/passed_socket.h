#pragma once

#include <optional>

#include "absl/status/status.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// SendSocket hands a descriptor to whoever reads from the other end of `control`, a socket that
// keeps messages whole.
[[nodiscard]] absl::Status SendSocket(int control, int socket);

// ReceiveSocket waits for one; nothing at the end.
[[nodiscard]] std::optional<Descriptor> ReceiveSocket(int control);

}  // namespace ggufgate

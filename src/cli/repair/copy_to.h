#pragma once

#include <ostream>

#include "absl/status/status.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// CopyTo writes all bytes of a source, a chunk at a time. The status is about reading; if writing
// fails, it stops, and the state of the stream tells.
[[nodiscard]] absl::Status CopyTo(const ByteSource& source, std::ostream& out);

}  // namespace ggufgate

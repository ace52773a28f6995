#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"

namespace ggufgate {

// Sha256Of is the SHA-256 of all bytes of a source, in lower-case hexadecimal.
[[nodiscard]] absl::StatusOr<std::string> Sha256Of(const ByteSource& source);

}  // namespace ggufgate

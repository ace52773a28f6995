#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "parse/document.h"

namespace ggufgate {

// SameTensors compares the tensors of two files: their order, names, types, shapes, and the SHA-256
// of their data, as manifests have them. It returns the number of bytes of data, or an error that
// names the first difference. Memory does not grow with the data.
[[nodiscard]] absl::StatusOr<std::uint64_t> SameTensors(const Document& old, const ByteSource& from,
                                                        const Document& repaired,
                                                        const ByteSource& to);

}  // namespace ggufgate

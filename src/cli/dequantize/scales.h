#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "bytes/byte_order.h"
#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "format/tensors/tensor_type.h"
#include "report/pages/weights.h"

namespace ggufgate {

// CountScales reads the data of a tensor, whole blocks in the file, and counts the scales of its
// blocks in a picture. Types without scales are passed over.
[[nodiscard]] absl::Status CountScales(const ByteSource& source, const TensorTypeInfo& type,
                                       ByteOrder order, ByteRange data, WeightPicture& picture);

}  // namespace ggufgate

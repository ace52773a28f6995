#pragma once

#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "cli/dequantize/tensor_list.h"
#include "parse/document.h"
#include "report/pages/weights.h"

namespace ggufgate {

// PicturesOf decodes each tensor once more, now that its range is known, and reads the scales of
// its blocks. The tensors are the document's. Memory does not grow with a tensor.
[[nodiscard]] absl::StatusOr<std::vector<WeightPicture>> PicturesOf(
    const Document& document, const ByteSource& source, std::span<const TensorStatistics> tensors,
    unsigned jobs);

}  // namespace ggufgate

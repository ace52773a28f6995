#pragma once

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

// SwapNumbers reverses the bytes of every multi-byte number in whole blocks. It converts big-endian
// blocks to little-endian ones and back.
void SwapNumbers(const TensorTypeInfo& info, MutableBytes blocks);

}  // namespace ggufgate

#pragma once

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

// SwapNumbers reverses the bytes of every number of more than one byte in whole blocks, which turns
// big-endian blocks into little-endian ones and back.
void SwapNumbers(const TensorTypeInfo& info, MutableBytes blocks);

}  // namespace ggufgate

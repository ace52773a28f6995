#pragma once

#include <cstdint>
#include <optional>

#include "format/tensors/tensor_type.h"

namespace ggufgate {

// MainTypeOf is the tensor type that a value of `general.file_type` names; nullopt where the number
// is removed or unknown.
[[nodiscard]] std::optional<TensorType> MainTypeOf(std::uint64_t file_type);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <optional>

#include "format/tensors/tensor_type.h"

namespace ggufgate {

// MainTypeOf returns the tensor type for a value of `general.file_type`; nullopt for removed and
// unknown numbers.
[[nodiscard]] std::optional<TensorType> MainTypeOf(std::uint64_t file_type);

}  // namespace ggufgate

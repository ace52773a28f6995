#pragma once

#include <cstdint>
#include <optional>

#include "format/tensors/tensor_type.h"
#include "mutate/file/draft.h"

namespace ggufgate::mutate {

// SizeOfTensor is the number of bytes of a tensor's data by its type and dimensions, or nullopt
// when the type is unknown or the number exceeds 64 bits. A row that ends inside a block counts as
// if it ended with it.
[[nodiscard]] std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor);
// The same of a tensor whose type was looked up already.
[[nodiscard]] std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor,
                                                        const TensorTypeInfo& type);

// AttachData sets the data of each tensor to the part of the tail that its offset and size name, so
// that data move with their tensor.
void AttachData(Draft& draft);

}  // namespace ggufgate::mutate

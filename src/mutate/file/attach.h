#pragma once

#include <cstdint>
#include <optional>

#include "format/tensors/tensor_type.h"
#include "mutate/file/draft.h"

namespace ggufgate::mutate {

// SizeOfTensor returns the size in bytes of a tensor's data, from its type and dimensions. It
// returns nullopt if the type is unknown or the size exceeds 64 bits. An incomplete block at the
// end of a row counts as a whole one.
[[nodiscard]] std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor);
// The same, if the caller has already looked up the type.
[[nodiscard]] std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor,
                                                        const TensorTypeInfo& type);

// AttachData sets the data of each tensor to the part of the tail that its offset and size select.
// So data move with their tensor.
void AttachData(Draft& draft);

}  // namespace ggufgate::mutate

#pragma once

#include <cstdint>
#include <optional>

#include "mutate/file/draft.h"

namespace ggufgate::mutate {

// SizeOfTensor is the number of bytes of a tensor's data by its type and dimensions; nothing when
// the type is unknown or the number leaves 64 bits. A row that is no whole blocks counts as those
// that are begun.
[[nodiscard]] std::optional<std::uint64_t> SizeOfTensor(const Tensor& tensor);

// AttachData gives each tensor what the tail has of its data, so that they move with it.
void AttachData(Draft& draft);

}  // namespace ggufgate::mutate

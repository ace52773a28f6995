#pragma once

#include <array>
#include <cstdint>

#include "format/tensors/layout.h"

namespace ggufgate::mutate {

using FourDimensions = std::array<std::uint64_t, kMaximumDimensions>;

// WithFifth returns the dimensions of a tensor in the layout of a record, with space for those of
// video models.
inline std::array<std::uint64_t, kReadDimensions> WithFifth(const FourDimensions& four,
                                                            std::uint64_t fifth = 1) {
  return {four[0], four[1], four[2], four[3], fifth};
}

}  // namespace ggufgate::mutate

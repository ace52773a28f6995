#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ggufgate {

// NpyHeader returns the header of a NumPy file of format 1.0 with little-endian float32 values.
// `shape` has the slowest dimension first; an empty shape is a single value. The size is a multiple
// of 64 bytes. Source: numpy.lib.format, "Format Version 1.0".
[[nodiscard]] std::string NpyHeader(std::span<const std::uint64_t> shape);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ggufgate {

// NpyHeader is what stands before little-endian float32 values in a NumPy file of format 1.0.
// `shape` has the slowest dimension first; none is a single value. A multiple of 64 bytes long.
// Source: numpy.lib.format, "Format Version 1.0".
[[nodiscard]] std::string NpyHeader(std::span<const std::uint64_t> shape);

}  // namespace ggufgate

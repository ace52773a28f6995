#pragma once

// The constants of the container. Source: GGUF specification, docs/gguf.md in ggml.

#include <array>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// The magic is these four bytes in file order, for both byte orders.
inline constexpr std::string_view kMagic = "GGUF";

inline constexpr std::uint64_t kHeaderBytes = 24;         // magic, version, two 64-bit counts
inline constexpr std::uint64_t kMinimumKeyBytes = 13;     // key length, value type, one-byte value
inline constexpr std::uint64_t kMinimumTensorBytes = 24;  // name length, n_dims, type, offset
inline constexpr std::uint32_t kMaximumDimensions = 4;    // GGML_MAX_DIMS
inline constexpr std::uint32_t kReadDimensions = 5;       // in video models; read and checked
inline constexpr std::uint64_t kDefaultAlignment = 32;    // GGUF_DEFAULT_ALIGNMENT
inline constexpr std::uint64_t kSpecifiedAlignment = 8;   // the specification: a multiple of 8

inline constexpr std::string_view kAlignmentKey = "general.alignment";
inline constexpr std::string_view kArchitectureKey = "general.architecture";

}  // namespace ggufgate

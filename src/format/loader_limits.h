#pragma once

// Limits of loaders: a loader fails on greater numbers. Each has its source. Our limits are in
// limits.def. Each limit occurs only once in src: tests/tree/limits.py checks that.

#include <cstdint>

namespace ggufgate {

// llama.cpp, GGML_MAX_NAME in ggml/include/ggml.h: 64 bytes, including the NUL.
inline constexpr std::uint64_t kLongestNameOfLlamaCpp = 63;
// GGUF specification: the name of a tensor has at most 64 bytes.
inline constexpr std::uint64_t kLongestSpecifiedName = 64;

// Sizes and offsets are signed 64-bit in llama.cpp, so a greater sum or product is invalid.
inline constexpr std::uint64_t kMaximumSize = (std::uint64_t{1} << 63) - 1;
// llama.cpp adds the padded sizes for its context, and some internal data, which take less than
// 2^32 bytes.
inline constexpr std::uint64_t kMaximumTotal = kMaximumSize - (std::uint64_t{1} << 32);

// llama.cpp stores one number per layer in arrays of this length (LLAMA_MAX_LAYERS in
// src/llama-hparams.h). If a file has more layers, it aborts in an assertion.
inline constexpr std::uint64_t kMostLayers = 512;
// llama.cpp, LLAMA_MAX_EXPERTS in src/llama-hparams.h; 896 are in use.
inline constexpr std::uint64_t kMostExperts = 1024;

// Loaders of projectors allocate memory for the image. No source states a limit; published models
// are far below these.
inline constexpr std::uint64_t kLongestImageEdge = 16'384;                 // pixels
inline constexpr std::uint64_t kMostImagePixels = std::uint64_t{1} << 28;  // a square of that edge

// llama.cpp reads `split.no` and `split.count` as u16.
inline constexpr std::uint32_t kMostShards = 65'535;

// llama.cpp, llama_context_default_params(): n_ctx and n_ubatch, in tokens.
inline constexpr std::uint64_t kDefaultContext = 512;
inline constexpr std::uint64_t kDefaultBatch = 512;

}  // namespace ggufgate

#pragma once

// The reference loader, gguf_init_from_file of llama.cpp's libggml-base.so, which
// scripts/fetch-reference puts into build/reference. It is opened at run time, and never linked or
// shipped. GGUFGATE_GGML names another library.

#include <span>

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// LlamaCppLoaders returns the modes in which it loads; llama.cpp starts with the first.
[[nodiscard]] std::span<const Loader> LlamaCppLoaders();

}  // namespace ggufgate::external

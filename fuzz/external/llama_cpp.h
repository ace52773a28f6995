#pragma once

// The reference loader, gguf_init_from_file of llama.cpp's libggml-base.so, which
// scripts/fetch-reference puts into build/reference. It is opened at run time, and never linked or
// shipped. GGUFGATE_GGML names another library to take.

#include <span>

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// LlamaCppLoaders are the ways in which it loads; the first is what llama.cpp begins with.
[[nodiscard]] std::span<const Loader> LlamaCppLoaders();

}  // namespace ggufgate::external

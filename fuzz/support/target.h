#pragma once

// Included by every target: the function that an engine calls.

#include <cstddef>
#include <cstdint>

#include "bytes/bytes.h"
#include "tests/oracles/guarded.h"
#include "tests/oracles/require.h"

// GGUFGATE_FUZZ_TARGET(input) { … } is the body of a target. It must accept all bytes, and keep no
// state between calls.
#define GGUFGATE_FUZZ_TARGET(input)                                                   \
  static void Target(::ggufgate::Bytes input);                                        \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    Target({data, size});                                                             \
    return 0;                                                                         \
  }                                                                                   \
  static void Target(::ggufgate::Bytes input)

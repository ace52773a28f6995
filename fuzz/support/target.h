#pragma once

// What every target includes: the one function that an engine calls, and what it is made of.

#include <cstddef>
#include <cstdint>

#include "bytes/bytes.h"
#include "tests/oracles/guarded.h"
#include "tests/oracles/require.h"

// GGUFGATE_FUZZ_TARGET(input) { … } is the body of a target: total on all bytes, without state that
// outlives the call.
#define GGUFGATE_FUZZ_TARGET(input)                                                   \
  static void Target(::ggufgate::Bytes input);                                        \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    Target({data, size});                                                             \
    return 0;                                                                         \
  }                                                                                   \
  static void Target(::ggufgate::Bytes input)

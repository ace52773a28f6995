#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"

// The functions of scalar.h for the processor's vector instructions. Each returns the same as its
// scalar namesake, bit for bit except for NaN, in the default floating-point mode.
//
// First, the integer codes of a block are unpacked into bytes, 16 or 32 elements at a time,
// identically on every processor. Then bytes become floats and are multiplied, one register at a
// time. Every product except those of Q8_K is exact, so scales may be multiplied in another order.
namespace ggufgate::simd {

#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  void Decode##name(Bytes blocks, std::span<float> out);
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

// Targets returns the compiled instruction sets that this processor has, best first; the last is
// the scalar code. For tests.
[[nodiscard]] std::vector<std::int64_t> Targets();
[[nodiscard]] std::string_view TargetName(std::int64_t target);

// UseTarget makes the functions above use one of Targets() from now on; 0 selects the best again.
// Do not call it while another thread runs them.
void UseTarget(std::int64_t target);

}  // namespace ggufgate::simd

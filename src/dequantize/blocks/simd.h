#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"

// The same functions as in scalar.h, for whatever instructions the processor has. Each gives what
// its scalar namesake gives, bit for bit but for NaN, in the default floating-point mode.
//
// The integer codes of a block are unpacked into bytes first, 16 or 32 elements at a time and the
// same way on every processor; then bytes become floats and are multiplied, as many as a register
// holds. Every product but those of Q8_K is exact, so that scales may be multiplied in another
// order.
namespace ggufgate::simd {

#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  void Decode##name(Bytes blocks, std::span<float> out);
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

// Targets are the instruction sets that were compiled and that this processor has, best first; the
// last is the scalar code. For tests.
[[nodiscard]] std::vector<std::int64_t> Targets();
[[nodiscard]] std::string_view TargetName(std::int64_t target);

// UseTarget makes the functions above use one of Targets() from now on; 0 for the best again. Not
// while another thread is in them.
void UseTarget(std::int64_t target);

}  // namespace ggufgate::simd

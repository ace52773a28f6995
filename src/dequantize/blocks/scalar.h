#pragma once

#include <span>

#include "bytes/bytes.h"

// The reference: one function per tensor type, in the form of its formula. Tests compare the SIMD
// code with it bit for bit.
//
// Decode<Type>(blocks, out) decodes whole little-endian blocks into out, which must have exactly
// their number of elements. Every bit pattern is a block. Source of the formulas: ggml d99724f2,
// src/ggml-quants.c, dequantize_row_*, checked against its output.
namespace ggufgate::scalar {

#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  void Decode##name(Bytes blocks, std::span<float> out);
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

}  // namespace ggufgate::scalar

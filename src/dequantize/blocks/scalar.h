#pragma once

#include <span>

#include "bytes/bytes.h"

// The reference: one function for each tensor type, written as the formula reads. What SIMD does is
// compared with this bit for bit.
//
// Decode<Type>(blocks, out) decodes whole blocks in little-endian order into out, which has exactly
// their elements. Every pattern of bits is a block. Source of the formulas: ggml d99724f2,
// src/ggml-quants.c, dequantize_row_*, checked against its output.
namespace ggufgate::scalar {

#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  void Decode##name(Bytes blocks, std::span<float> out);
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE

}  // namespace ggufgate::scalar

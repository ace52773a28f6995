// dequantize: every pattern of bits decodes, and every instruction set gives what the scalar code
// gives. The first byte chooses the type, the rest are blocks.

#include <bit>
#include <cmath>
#include <vector>

#include "dequantize/dequantize.h"
#include "dequantize/scalar.h"
#include "dequantize/simd.h"
#include "fuzz/support/target.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

using Decode = void (*)(Bytes, std::span<float>);

Decode ScalarFor(TensorType type) {
  switch (type) {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  case TensorType::k##name:                                        \
    return &scalar::Decode##name;
#include "format/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
  }
  return nullptr;
}

// Equal compares bit by bit, but for the payload of a NaN.
bool Equal(std::span<const float> a, std::span<const float> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
  }
  return true;
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.empty()) return;
  const auto types = AllTensorTypes();
  const TensorTypeInfo& type = types[input.front() % types.size()];
  const std::size_t blocks = (input.size() - 1) / type.block_bytes;
  const fuzz::GuardedCopy copy(input.subspan(1, blocks * type.block_bytes));
  std::vector<float> expected(blocks * type.block_elements);
  std::vector<float> floats(expected.size());
  ScalarFor(type.type)(copy.bytes(), expected);
  Require(Dequantize(type.type, copy.bytes(), floats) == Dequantized::kDone, "whole blocks decode");
  Require(Equal(floats, expected), "the best instruction set gives what the scalar code gives");
  if (!floats.empty()) {
    const std::size_t index = input.front() % floats.size();
    const auto one = DequantizeElement(type.type, copy.bytes(), index);
    Require(one && Equal({{*one}}, {{expected[index]}}), "one element is the one of the whole");
  }
}

// dequantize: every bit pattern decodes, and every instruction set, byte order and interface gives
// the result of the scalar code. The first byte selects the type, the rest are blocks.

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "dequantize/blocks/scalar.h"
#include "dequantize/blocks/simd.h"
#include "dequantize/dequantize.h"
#include "dequantize/swap_numbers.h"
#include "fuzz/support/target.h"

namespace {

using namespace ggufgate;
using fuzz::Require;
using Floats = std::vector<float>;

using Decode = void (*)(Bytes, std::span<float>);

Decode ScalarFor(TensorType type) {
  switch (type) {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  case TensorType::k##name:                                        \
    return &scalar::Decode##name;
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
  }
  return nullptr;
}

// Equal compares bit by bit, except the payload of a NaN.
bool Equal(std::span<const float> a, std::span<const float> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::bit_cast<std::uint32_t>(a[i]) != std::bit_cast<std::uint32_t>(b[i])) return false;
  }
  return a.size() == b.size();
}

// RequireParts decodes one element, and all rows from one on; a row is one block.
void RequireParts(const TensorTypeInfo& type, Bytes blocks, const Floats& expected,
                  std::size_t choice) {
  const std::size_t index = choice % expected.size();
  const auto one = DequantizeElement(type.type, blocks, index);
  Require(one && Equal({{*one}}, {{expected[index]}}), "one element is the one of the whole");

  const std::size_t row = type.block_elements, first = index / row;
  Floats rows(expected.size() - first * row);
  Require(DequantizeRows(type.type, blocks, row, first, rows) == Dequantized::kDone &&
              Equal(rows, std::span(expected).subspan(first * row)),
          "rows are those of the whole");
}

// RequireTurned requires the same for blocks in the opposite byte order.
void RequireTurned(const TensorTypeInfo& type, Bytes blocks, const Floats& expected) {
  std::vector<std::uint8_t> turned(blocks.begin(), blocks.end());
  SwapNumbers(type, turned);
  const fuzz::GuardedCopy copy(turned, 1);
  Floats floats(expected.size());
  Require(Dequantize(type.type, copy.bytes(), floats, ByteOrder::kBig) == Dequantized::kDone &&
              Equal(floats, expected),
          "big-endian blocks decode to what little-endian ones do");
  SwapNumbers(type, turned);
  Require(std::ranges::equal(turned, blocks), "turned twice, blocks are what they were");
}

// RequireRefusals requests ranges that do not exist: each returns the right error, and writes
// nothing.
void RequireRefusals(const TensorTypeInfo& type, Bytes blocks, std::size_t elements) {
  using enum Dequantized;
  constexpr float kUntouched = 7.0F;
  Floats out(elements + 1, kUntouched);
  const auto refused = [&](Dequantized got, Dequantized wanted) {
    Require(got == wanted, "what cannot be decoded is refused for the right reason");
    Require(!WordsFor(got).empty(), "every reason has words");
  };
  refused(Dequantize(type.type, blocks, out), kWrongSize);
  refused(Dequantize(static_cast<TensorType>(UINT32_MAX), blocks, out), kUnknownType);
  refused(DequantizeElements(type.type, blocks, elements, out), kOutOfRange);
  refused(DequantizeRows(type.type, blocks, 0, 0, out), kPartialRow);
  refused(DequantizeRows(type.type, blocks, type.block_elements, elements + 1, {}), kOutOfRange);
  if (type.block_bytes > 1 && !blocks.empty()) {
    refused(Dequantize(type.type, blocks.first(blocks.size() - 1), out), kPartialBlock);
  }
  if (type.block_elements > 1) {
    refused(DequantizeRows(type.type, blocks, type.block_elements, 0, out), kWrongSize);
  }
  Require(std::ranges::count(out, kUntouched) == std::ssize(out), "a refusal writes nothing");
  refused(Dequantize(type.type, {}, {}), kDone);
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.empty()) return;
  const auto types = AllTensorTypes();
  const TensorTypeInfo& type = types[input.front() % types.size()];
  const std::size_t blocks = (input.size() - 1) / type.block_bytes;
  const fuzz::GuardedCopy copy(input.subspan(1, blocks * type.block_bytes));
  Floats expected(blocks * type.block_elements);
  Floats floats(expected.size());
  ScalarFor(type.type)(copy.bytes(), expected);
  Require(Dequantize(type.type, copy.bytes(), floats) == Dequantized::kDone, "whole blocks decode");
  Require(Equal(floats, expected), "the best instruction set gives what the scalar code gives");
  if (!expected.empty()) RequireParts(type, copy.bytes(), expected, input.back());
  RequireTurned(type, copy.bytes(), expected);
  RequireRefusals(type, copy.bytes(), expected.size());
}

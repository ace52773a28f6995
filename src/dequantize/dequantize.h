#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

// Dequantized is the result of a call. Nothing was written unless it is kDone.
enum class Dequantized : std::uint8_t {
  kDone,
  kUnknownType,   // not a TensorType
  kPartialBlock,  // the bytes are not whole blocks
  kWrongSize,     // `out` does not have exactly the requested elements
  kOutOfRange,    // elements or rows beyond the end of the bytes
  kPartialRow,    // a row is not whole blocks, or the bytes are not whole rows
};

[[nodiscard]] std::string_view WordsFor(Dequantized result);

// Dequantize decodes whole blocks into floats, bit for bit as ggml does; for NaN, the bits may
// differ. `out` must have exactly as many elements as `blocks`.
//
// It is total: every bit pattern decodes, including non-finite scales. It accesses only the two
// spans. The result is that of the default floating-point mode, whatever mode the caller uses
// (flush-to-zero, another rounding, traps). It preserves the caller's mode.
//
// F32, F64 and integers, which ggml does not convert, are rounded once to the nearest float, ties
// to even; an F64 out of range becomes infinite. Q8_1, which ggml uses only in dot products,
// decodes as Q8_0 does.
//
// `order` is that of the file. A big-endian file stores every multi-byte number of the reference
// with its most significant byte first: elements of plain types, scales and minimums, and the words
// with indexes, signs or high bits (see byte_order.def). Bytes with smaller codes have the same
// order in both.
[[nodiscard]] Dequantized Dequantize(TensorType type, Bytes blocks, std::span<float> out,
                                     ByteOrder order = ByteOrder::kLittle);

// DequantizeElements decodes out.size() elements, from element `first` on. They need not be aligned
// to blocks.
[[nodiscard]] Dequantized DequantizeElements(TensorType type, Bytes blocks, std::uint64_t first,
                                             std::span<float> out,
                                             ByteOrder order = ByteOrder::kLittle);

// DequantizeRows decodes rows of `row_elements` elements, from row `first` on, until `out` is full.
// A row must be whole blocks.
[[nodiscard]] Dequantized DequantizeRows(TensorType type, Bytes blocks, std::uint64_t row_elements,
                                         std::uint64_t first, std::span<float> out,
                                         ByteOrder order = ByteOrder::kLittle);

// DequantizeElement decodes one element; nullopt for an unknown type, a partial block, or an index
// out of range.
[[nodiscard]] std::optional<float> DequantizeElement(TensorType type, Bytes blocks,
                                                     std::uint64_t index,
                                                     ByteOrder order = ByteOrder::kLittle);

}  // namespace ggufgate

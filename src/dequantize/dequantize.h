#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bytes/byte_order.h"
#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

// Dequantized says how a call ended. Nothing was written unless it is kDone.
enum class Dequantized : std::uint8_t {
  kDone,
  kUnknownType,   // not a TensorType
  kPartialBlock,  // the bytes are not whole blocks
  kWrongSize,     // `out` has not the room of exactly the elements asked for
  kOutOfRange,    // elements or rows that the bytes do not have
  kPartialRow,    // a row is not whole blocks, or the bytes are not whole rows
};

[[nodiscard]] std::string_view WordsFor(Dequantized result);

// Dequantize decodes whole blocks into floats, bit for bit as ggml does; of a NaN only that it is
// one is promised. `out` has exactly the elements of `blocks`.
//
// Total: every pattern of bits decodes, scales that are not finite included, and nothing is read or
// written but the two spans. Whatever floating-point mode the caller runs in (flush-to-zero,
// another rounding, traps), the result is that of the default mode, and the mode is left as it was.
//
// F32, F64 and integers, which ggml does not convert, are rounded once to the nearest float, ties
// to even; an F64 beyond the floats becomes infinite. Q8_1, which ggml only reads in dot products,
// decodes as Q8_0 does.
//
// `order` is that of the file. In a big-endian file every number that the reference reads as more
// than one byte is stored with its most significant byte first: elements of plain types, scales and
// minimums, and the words that hold indexes, signs or high bits (format of the block as in
// byte_order.def). Bytes that hold smaller codes stand in the same order in both.
[[nodiscard]] Dequantized Dequantize(TensorType type, Bytes blocks, std::span<float> out,
                                     ByteOrder order = ByteOrder::kLittle);

// DequantizeElements decodes out.size() elements from number `first` on, which need begin or end no
// block.
[[nodiscard]] Dequantized DequantizeElements(TensorType type, Bytes blocks, std::uint64_t first,
                                             std::span<float> out,
                                             ByteOrder order = ByteOrder::kLittle);

// DequantizeRows decodes rows of `row_elements` elements, from row `first` on as many as `out` has
// room for. A row is whole blocks.
[[nodiscard]] Dequantized DequantizeRows(TensorType type, Bytes blocks, std::uint64_t row_elements,
                                         std::uint64_t first, std::span<float> out,
                                         ByteOrder order = ByteOrder::kLittle);

// DequantizeElement decodes one element; nullopt when there is no such type, block or element.
[[nodiscard]] std::optional<float> DequantizeElement(TensorType type, Bytes blocks,
                                                     std::uint64_t index,
                                                     ByteOrder order = ByteOrder::kLittle);

}  // namespace ggufgate

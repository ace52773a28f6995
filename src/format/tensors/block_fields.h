#pragma once

#include <cstdint>
#include <span>

#include "format/tensors/tensor_type.h"

namespace ggufgate {

// FieldKind is how a field of a block is encoded, and so what can be wrong in it.
enum class FieldKind : std::uint8_t {
  kF16,
  kBF16,
  kF32,
  kF64,
  kIQ1MScale,     // an f16 spread over the top four bits of four 16-bit words, lowest first
  kQ8KScale,      // an f32, which 256 signed codes behind it are multiplied with
  kE8M0,          // MXFP4: 2^(byte - 127); 255 is NaN; its 32 codes follow in 16 bytes
  kUE4M3,         // NVFP4: unsigned, so bit 7 means nothing; 0x7F is NaN
  kQ8Code,        // a signed byte; encoders stop at -127
  kTernaryCodes,  // a byte of TQ2_0: four codes of two bits, of which 3 means nothing
};

// FieldRole is what a field is to the elements of its block.
enum class FieldRole : std::uint8_t { kValue, kScale, kMinimum, kCode };

struct BlockField {
  std::uint16_t offset;  // in the block
  FieldKind kind;
  FieldRole role;
  std::uint16_t count = 1;  // fields of this kind, one behind the other
};

// FieldBytes is the size of one field.
[[nodiscard]] std::uint8_t FieldBytes(FieldKind kind);

// FieldsOf lists the judged fields of a block, by offset; empty for integer types.
[[nodiscard]] std::span<const BlockField> FieldsOf(TensorType type);

}  // namespace ggufgate

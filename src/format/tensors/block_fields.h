#pragma once

#include <cstdint>
#include <span>

#include "format/tensors/tensor_type.h"

namespace ggufgate {

// FieldKind is the encoding of a field of a block. It determines the possible faults.
enum class FieldKind : std::uint8_t {
  kF16,
  kBF16,
  kF32,
  kF64,
  kIQ1MScale,     // an f16 spread over the top four bits of four 16-bit words, lowest first
  kQ8KScale,      // an f32, the factor of the 256 signed codes after it
  kE8M0,          // MXFP4: 2^(byte - 127); 255 is NaN; its 32 codes follow in 16 bytes
  kUE4M3,         // NVFP4: unsigned, so bit 7 has no meaning; 0x7F is NaN
  kQ8Code,        // a signed byte; encoders do not write -128
  kTernaryCodes,  // a byte of TQ2_0: four codes of two bits; 3 has no meaning
};

// FieldRole is the role of a field for the elements of its block.
enum class FieldRole : std::uint8_t { kValue, kScale, kMinimum, kCode };

struct BlockField {
  std::uint16_t offset;  // in the block
  FieldKind kind;
  FieldRole role;
  std::uint16_t count = 1;  // consecutive fields of this kind
};

// FieldBytes is the size of one field.
[[nodiscard]] std::uint8_t FieldBytes(FieldKind kind);

// FieldsOf lists the checked fields of a block, by offset; empty for integer types.
[[nodiscard]] std::span<const BlockField> FieldsOf(TensorType type);

}  // namespace ggufgate

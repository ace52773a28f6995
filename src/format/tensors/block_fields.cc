#include "format/tensors/block_fields.h"

#include <array>

namespace ggufgate {
namespace {

using enum FieldKind;
using enum FieldRole;

#define GGUFGATE_BLOCK(type, ...) \
  constexpr auto k##type##Fields = std::to_array<BlockField>({__VA_ARGS__});
#include "format/tensors/block_fields.def"
#undef GGUFGATE_BLOCK

}  // namespace

std::uint8_t FieldBytes(FieldKind kind) {
  switch (kind) {
    case kF64:
    case kIQ1MScale:
      return 8;
    case kF32:
    case kQ8KScale:
      return 4;
    case kF16:
    case kBF16:
      return 2;
    default:
      return 1;
  }
}

std::span<const BlockField> FieldsOf(TensorType type) {
  switch (type) {
#define GGUFGATE_BLOCK(type, ...) \
  case TensorType::k##type:       \
    return k##type##Fields;
#include "format/tensors/block_fields.def"
#undef GGUFGATE_BLOCK
    default:
      return {};
  }
}

}  // namespace ggufgate

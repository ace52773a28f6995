#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "format/tensors/block_fields.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// FieldPlace is a field of a block in the data of a tensor.
struct FieldPlace {
  std::size_t tensor = 0;
  BlockField field{};
  std::uint64_t block = 0;
};

// FindField returns the first field of a type for which `wanted` is true, or nullptr.
template <typename Wanted>
[[nodiscard]] const BlockField* FindField(TensorType type, Wanted wanted) {
  for (const BlockField& field : FieldsOf(type)) {
    if (wanted(field)) return &field;
  }
  return nullptr;
}

// IsFloat is true for fields that can be NaN or infinite.
[[nodiscard]] bool IsFloat(FieldKind kind);

// NotFinite returns the bits of a NaN or an infinity of any kind and sign. Extreme returns a number
// at an end of the format: the largest, the smallest, or negative zero.
[[nodiscard]] std::uint64_t NotFinite(Random& random, FieldKind kind);
[[nodiscard]] std::uint64_t Extreme(Random& random, FieldKind kind);

// PutField stores bits in a field in the data of the written file.
void PutField(MutationContext& context, const FieldPlace& place, std::uint64_t bits);

}  // namespace ggufgate::mutate

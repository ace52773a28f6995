// Placement of data: llama.cpp maps the file, and asserts that each buffer begins at a multiple of
// 32 bytes. Alignments below 32 do not guarantee that.

#include <algorithm>
#include <optional>

#include "bytes/checked.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::string_view kPaddingKey = "general.padding";

// IsKeptAside: llama.cpp may copy a matrix of blocks into a buffer with another layout. Then the
// mapped buffer begins at a later tensor. This function does not know which types it copies, so it
// returns true for all.
bool IsKeptAside(const Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  return type != nullptr && type->block_elements > 1 && tensor.dimension_count > 1;
}

// BeginsAligned assumes that the data section begins at a multiple of 32. It returns whether all
// tensors do at which a buffer may begin.
bool BeginsAligned(const Draft& draft) {
  std::uint64_t offset = 0;
  for (const Tensor& tensor : draft.tensors) {
    if (offset % kDefaultAlignment != 0) return false;
    if (!IsKeptAside(tensor)) return true;
    offset += CheckedAlignUp(tensor.data.size(), draft.alignment).value_or(1);
  }
  return true;
}

// Pad extends the metadata to a multiple of 32; false without room.
bool Pad(MutationContext& context) {
  Draft& draft = context.draft;
  DropKey(draft, kPaddingKey);
  Entry padding{.key = kPaddingKey, .type = IdOf(ValueType::kString)};
  const std::uint64_t end = DirectoryEnd(draft) + SizeOf(padding) + 8;
  const std::uint64_t missing = kDefaultAlignment - end % kDefaultAlignment;
  padding.value = TextValue(context.arena, std::string_view("................................")
                                               .substr(0, static_cast<std::size_t>(missing)));
  return !padding.value.empty() && draft.entries.Insert(draft.entries.size(), padding);
}

}  // namespace

// If padding does not help, the alignment key is dropped.
void PlaceData(MutationContext& context, Alignments alignments) {
  Draft& draft = context.draft;
  if (draft.alignment >= kDefaultAlignment) return;
  if (alignments == Alignments::kAll && BeginsAligned(draft)) {
    if (draft.tensors.empty()) return;
    const std::optional<std::uint64_t> begin = CheckedAlignUp(DirectoryEnd(draft), draft.alignment);
    if (begin && *begin % kDefaultAlignment == 0) return;
    if (Pad(context)) return;
  }
  DropKey(draft, kAlignmentKey);
  draft.alignment = kDefaultAlignment;
}

}  // namespace ggufgate::mutate

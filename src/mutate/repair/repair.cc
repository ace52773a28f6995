#include "mutate/repair/repair.h"

#include "bytes/checked.h"

namespace ggufgate::mutate {
namespace {

// PaddedData returns the size of the data with padding.
std::uint64_t PaddedData(const Tensor& tensor, std::uint64_t alignment) {
  return CheckedAlignUp(tensor.data.size(), alignment).value_or(UINT64_MAX);
}

}  // namespace

void Repair(MutationContext& context, Alignments alignments) {
  RepairMetadata(context);
  RepairTensors(context);
  FitInto(context);
  FinishData(context);
  RepairMeaning(context);
  PlaceData(context, alignments);
  LayOut(context.draft);
  // RepairMeaning() and later steps only remove bytes, except the padding that FitInto() reserves.
}

void FitInto(MutationContext& context) {
  Draft& draft = context.draft;
  // A sixteenth of the room is reserved for the bytes that a lie adds.
  const std::uint64_t room = context.room() - std::min<std::size_t>(context.room() / 16, 1024);
  // An alignment below 32 may need a padding key, or become 32: see PlaceData().
  const std::uint64_t alignment = std::max<std::uint64_t>(draft.alignment, kDefaultAlignment);
  std::uint64_t records = kHeaderBytes;
  if (draft.alignment < kDefaultAlignment) records += kMostPadding;
  for (const Entry& entry : draft.entries) records += SizeOf(entry);
  std::uint64_t data = draft.tensors.empty() ? 0 : alignment;
  for (const Tensor& tensor : draft.tensors) {
    records += SizeOf(tensor);
    data += PaddedData(tensor, alignment);
  }
  while (records + data > room && !draft.tensors.empty()) {
    records -= SizeOf(draft.tensors.back());
    data -= PaddedData(draft.tensors.back(), alignment);
    draft.tensors.Cut(draft.tensors.size() - 1);
    if (draft.tensors.empty()) data = 0;
  }
  while (records > room && !draft.entries.empty()) {
    if (draft.entries.back().key == kAlignmentKey) draft.alignment = kDefaultAlignment;
    records -= SizeOf(draft.entries.back());
    draft.entries.Cut(draft.entries.size() - 1);
  }
}

}  // namespace ggufgate::mutate

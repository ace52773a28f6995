#include "mutate/repair.h"

#include "bytes/checked.h"

namespace ggufgate::mutate {
namespace {

std::uint64_t SizeOf(const Entry& entry) { return 8 + entry.key.size() + 4 + entry.value.size(); }
std::uint64_t SizeOf(const Tensor& tensor) {
  return 8 + tensor.name.size() + 4 + 8 * std::uint64_t{tensor.dimension_count} + 4 + 8;
}

// PaddedData is at most what the data and one alignment take.
std::uint64_t PaddedData(const Tensor& tensor, std::uint64_t alignment) {
  return CheckedAlignUp(tensor.data.size(), alignment).value_or(UINT64_MAX);
}

}  // namespace

void Repair(Bench& bench) {
  RepairMetadata(bench);
  RepairTensors(bench);
  FitInto(bench);
  RepairMeaning(bench);
  LayOut(bench.draft);
  // What the records lost may have made room, never taken it.
}

void FitInto(Bench& bench) {
  Draft& draft = bench.draft;
  // A lie may add a few bytes; a sixteenth is left for it.
  const std::uint64_t room = bench.room() - std::min<std::size_t>(bench.room() / 16, 1024);
  std::uint64_t records = kHeaderBytes;
  for (const Entry& entry : draft.entries) records += SizeOf(entry);
  std::uint64_t data = draft.tensors.empty() ? 0 : draft.alignment;
  for (const Tensor& tensor : draft.tensors) {
    records += SizeOf(tensor);
    data += PaddedData(tensor, draft.alignment);
  }
  while (records + data > room && !draft.tensors.empty()) {
    records -= SizeOf(draft.tensors.back());
    data -= PaddedData(draft.tensors.back(), draft.alignment);
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

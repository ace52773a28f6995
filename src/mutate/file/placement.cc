#include "mutate/file/placement.h"

#include "bytes/checked.h"

namespace ggufgate::mutate {

Placement::Placement()
    : entries(Draft::kMostEntries), tensors(Draft::kMostTensors), data(Draft::kMostTensors) {}

std::uint64_t DirectoryEnd(const Draft& draft) {
  std::uint64_t end = kHeaderBytes;
  for (const Entry& entry : draft.entries) end += SizeOf(entry);
  for (const Tensor& tensor : draft.tensors) end += SizeOf(tensor);
  return end;
}

std::uint64_t PaddingAfter(std::uint64_t at, std::uint64_t alignment) {
  if (alignment == 0) return 0;
  return CheckedAlignUp(at, alignment).value_or(at) - at;
}

void LayOut(Draft& draft) {
  std::uint64_t offset = 0;
  for (Tensor& tensor : draft.tensors) {
    tensor.offset = offset;
    const std::uint64_t end = offset + tensor.data.size();
    offset = end + PaddingAfter(end, draft.alignment);
  }
}

}  // namespace ggufgate::mutate

#include "mutate/file/placement.h"

#include "bytes/checked.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

// PaddingAfter is the number of bytes from `at` to the next multiple of the alignment; none where
// a draft that was not repaired aligns to 0.
std::uint64_t PaddingAfter(std::uint64_t at, std::uint64_t alignment) {
  if (alignment == 0) return 0;
  return CheckedAlignUp(at, alignment).value_or(at) - at;
}

}  // namespace

Placement::Placement()
    : entries(Draft::kMostEntries), tensors(Draft::kMostTensors), data(Draft::kMostTensors) {}

void LayOut(Draft& draft) {
  std::uint64_t offset = 0;
  for (Tensor& tensor : draft.tensors) {
    tensor.offset = offset;
    const std::uint64_t end = offset + tensor.data.size();
    offset = end + PaddingAfter(end, draft.alignment);
  }
}

bool WriteWhole(const Draft& draft, MutableBytes out, Placement& placement) {
  placement.entries.Clear();
  placement.tensors.Clear();
  placement.data.Clear();
  Writer writer(out, draft.encoding);
  writer.PutBytes(AsBytes(kMagic)).Put(draft.version);
  writer.PutWord(draft.tensors.size()).PutWord(draft.entries.size());
  for (const Entry& entry : draft.entries) {
    placement.entries.Add(writer.at());
    PutEntry(writer, entry);
  }
  placement.metadata_end = writer.at();
  for (const Tensor& tensor : draft.tensors) {
    placement.tensors.Add(writer.at());
    PutTensor(writer, tensor);
  }
  placement.directory_end = placement.data_end = placement.data_begin = writer.at();
  if (!draft.tensors.empty()) {
    writer.Fill(PaddingAfter(writer.at(), draft.alignment), 0);
    placement.data_begin = writer.at();
  }
  for (const Tensor& tensor : draft.tensors) {
    placement.data.Add(writer.at());
    writer.PutBytes(tensor.data);
    placement.data_end = writer.at();
    writer.Fill(PaddingAfter(writer.at(), draft.alignment), 0);
  }
  placement.size = writer.at();
  return writer.fits();
}

}  // namespace ggufgate::mutate

#include "mutate/file/writer.h"

namespace ggufgate::mutate {

std::optional<std::size_t> WriteAsItStands(const Draft& draft, const Tail& tail, MutableBytes out) {
  Writer writer(out, draft.encoding);
  writer.PutBytes(draft.magic);
  if (draft.has_counts) {
    writer.Put(draft.version).PutWord(draft.tensor_count).PutWord(draft.metadata_count);
  }
  for (const Piece& piece : draft.pieces) {
    switch (piece.kind) {
      // A record that an edit took away is left out.
      case Piece::Kind::kEntry:
        if (piece.index < draft.entries.size()) PutEntry(writer, draft.entries[piece.index]);
        break;
      case Piece::Kind::kTensor:
        if (piece.index < draft.tensors.size()) PutTensor(writer, draft.tensors[piece.index]);
        break;
      case Piece::Kind::kOpaque:
        writer.PutBytes(draft.opaque[piece.index]);
        break;
    }
  }
  writer.Fill(PaddingAfter(writer.at(), tail.alignment), 0);
  writer.PutBytes(tail.first).PutBytes(tail.second);
  return writer.fits() ? std::optional(writer.at()) : std::nullopt;
}

bool WriteRepaired(const Draft& draft, MutableBytes out, Placement& placement) {
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

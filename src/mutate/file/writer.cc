#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

// EndsAt returns the end of a record in the input, if the input has the same bytes at `at` that
// would be written; otherwise 0. It compares the bytes, so it does not matter which fields were
// changed.
[[gnu::always_inline]] inline std::size_t EndsAt(Bytes input, std::size_t at, const Entry& entry) {
  constexpr ByteOrder kOrder = ByteOrder::kLittle;
  if (input.size() < at || input.size() - at < SizeOf(entry)) return 0;
  const Bytes record = input.subspan(at, SizeOf(entry));
  const std::size_t value = SizeOf(entry) - entry.value.size();
  if (OffsetIn(input, entry.value) != at + value) return 0;
  if (Load<std::uint64_t>(record, kOrder) != entry.key.size()) return 0;
  if (Load<std::uint32_t>(record.subspan(value - 4), kOrder) != entry.type) return 0;
  return at + record.size();
}

// PutEntries writes the metadata records. Most are unchanged and consecutive in the input, so it
// copies these in one step.
void PutEntries(Writer& writer, const Draft& draft, FixedVector<std::uint64_t>& places) {
  if (writer.encoding() != Encoding{}) {
    for (const Entry& entry : draft.entries) {
      places.Add(writer.at());
      PutEntry(writer, entry);
    }
    return;
  }
  const Bytes input = draft.input;
  std::size_t begin = 0;  // of the unchanged records in the input that are not yet copied
  std::size_t end = 0;
  for (const Entry& entry : draft.entries) {
    const std::size_t at = OffsetIn(input, AsBytes(entry.key)) - 8;
    const std::size_t ends = EndsAt(input, at, entry);
    if (ends == 0 || at != end) {
      writer.PutBytes(input.subspan(begin, end - begin));
      begin = end = ends == 0 ? 0 : at;
    }
    places.Add(writer.at() + (end - begin));
    if (ends == 0) {
      PutEntry(writer, entry);
    } else {
      end = ends;
    }
  }
  writer.PutBytes(input.subspan(begin, end - begin));
}

}  // namespace

std::optional<std::size_t> WriteAsItStands(const Draft& draft, const Tail& tail, MutableBytes out) {
  Writer writer(out, draft.encoding);
  writer.PutBytes(draft.magic);
  if (draft.has_counts) {
    writer.Put(draft.version).PutWord(draft.tensor_count).PutWord(draft.metadata_count);
  }
  for (const Piece& piece : draft.pieces) {
    switch (piece.kind) {
      // Skip records that an edit removed.
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
  PutEntries(writer, draft, placement.entries);
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

#include "mutate/reduce/reduce.h"

#include <algorithm>
#include <array>

#include "bytes/checked.h"
#include "format/tensors/tensor_type.h"
#include "format/value_type.h"
#include "mutate/file/attach.h"
#include "mutate/file/writer.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kTailSteps = 10;
constexpr std::size_t kEntrySteps = 4;
constexpr std::size_t kTensorSteps = 2;

// File is a draft that is being reduced. Its tail has `padding` zeros, then `section`, possibly
// without a part.
struct File {
  Draft& draft;
  bool aligned = false;  // the tail begins with the padding of the alignment
  Bytes section;
  std::uint64_t hole_begin = 0;  // offset in the section
  std::uint64_t hole_size = 0;
};

File Open(Bytes input, Draft& draft) {
  TakeApart(input, draft);
  AttachData(draft);
  File file{.draft = draft, .section = draft.tail};
  if (draft.alignment == 0 || draft.tensors.empty()) return file;
  const std::uint64_t begin =
      CheckedAlignUp(draft.tail_begin, draft.alignment).value_or(UINT64_MAX);
  if (begin - draft.tail_begin > draft.tail.size()) return file;
  file.aligned = true;
  file.section = draft.tail.subspan(begin - draft.tail_begin);
  return file;
}

// Close writes the file; nullopt if it does not fit into `out`.
std::optional<std::size_t> Close(const File& file, MutableBytes out) {
  const bool padded = file.aligned && !file.section.empty();
  const Tail tail = {.first = file.section.first(file.hole_begin),
                     .second = file.section.subspan(file.hole_begin + file.hole_size),
                     .alignment = padded ? file.draft.alignment : 0};
  return WriteAsItStands(file.draft, tail, out);
}

void Lower(std::uint64_t& count, std::uint64_t by) { count -= std::min(count, by); }

// --- runs: all things, halves, quarters …, each thing alone ------------------------------------

struct Run {
  std::size_t begin = 0;
  std::size_t size = 0;
};

// RunOf returns run `i` of `count` things. If `i` is past the last run, the size is 0, and the
// number of runs is subtracted from `i`.
Run RunOf(std::size_t count, std::size_t& i) {
  for (std::size_t size = count; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
    const std::size_t runs = (count + size - 1) / size;
    if (i < runs) return {.begin = i * size, .size = std::min(size, count - i * size)};
    i -= runs;
  }
  return {};
}

std::size_t CountRuns(std::size_t count) {
  std::size_t past = SIZE_MAX;
  (void)RunOf(count, past);
  return SIZE_MAX - past;
}

// DropPieces removes the pieces of some records.
void DropPieces(Draft& draft, Piece::Kind kind, Run run) {
  draft.pieces.Keep([&](const Piece& piece) {
    return piece.kind != kind || piece.index < run.begin || piece.index >= run.begin + run.size;
  });
}

bool DropEntries(File& file, Run run) {
  DropPieces(file.draft, Piece::Kind::kEntry, run);
  Lower(file.draft.metadata_count, run.size);
  for (std::size_t i = run.begin; i < run.begin + run.size; ++i) {
    if (file.draft.entries[i].key == kAlignmentKey) file.draft.alignment = kDefaultAlignment;
  }
  return true;
}

// LeaveOut removes a part of the section, and moves the offsets after it.
void LeaveOut(File& file, std::uint64_t begin, std::uint64_t end) {
  begin = std::min<std::uint64_t>(begin, file.section.size());
  end = std::clamp<std::uint64_t>(end, begin, file.section.size());
  file.hole_begin = begin;
  file.hole_size = end - begin;
  for (Tensor& tensor : file.draft.tensors) {
    if (tensor.offset >= end) tensor.offset -= end - begin;
  }
}

// NextOffset returns the offset of the first data after `offset`; without any, the end of the
// section.
std::uint64_t NextOffset(const File& file, std::uint64_t offset) {
  std::uint64_t next = file.section.size();
  for (const Tensor& tensor : file.draft.tensors) {
    if (tensor.offset > offset) next = std::min(next, tensor.offset);
  }
  return next;
}

bool DropTensors(File& file, Run run) {
  Draft& draft = file.draft;
  DropPieces(draft, Piece::Kind::kTensor, run);
  Lower(draft.tensor_count, run.size);
  if (!file.aligned) return true;
  // The data end where those of the first remaining tensor begin. Tensors without data may have the
  // same offset.
  const std::uint64_t begin = draft.tensors[run.begin].offset;
  std::uint64_t end = file.section.size();
  for (std::size_t i = 0; i < draft.tensors.size(); ++i) {
    const bool stays = i < run.begin || i >= run.begin + run.size;
    if (stays && draft.tensors[i].offset >= begin) end = std::min(end, draft.tensors[i].offset);
  }
  LeaveOut(file, begin, end);
  return true;
}

// --- the tail ------------------------------------------------------------------------------------

// DataEnd returns the end of all tensor data in the section.
std::uint64_t DataEnd(const File& file) {
  std::uint64_t end = 0;
  for (const Tensor& tensor : file.draft.tensors) {
    if (!tensor.data.empty()) end = std::max(end, tensor.offset + tensor.data.size());
  }
  return end;
}

bool CutTail(File& file, std::size_t step) {
  const std::size_t size = file.section.size();
  std::size_t kept = 0;  // step 0: nothing
  if (step == 1) kept = std::min<std::size_t>(DataEnd(file), size);
  if (step > 1) kept = size - std::max<std::size_t>(size >> (step - 1), 1);
  if (size == 0 || kept == size) return false;
  file.section = file.section.first(kept);
  return true;
}

// --- one record ----------------------------------------------------------------------------------

// Kept returns how many of `count` things a step keeps: none, half, all except one.
std::uint64_t Kept(std::uint64_t count, std::size_t step) {
  if (step == 0) return 0;
  return step == 1 ? count / 2 : count - 1;
}

// ElementsEnd returns the size of the first `count` elements of an array; nullopt if one is
// invalid.
std::optional<std::size_t> ElementsEnd(std::uint32_t type, Bytes elements, std::uint64_t count,
                                       Encoding encoding) {
  Bytes rest = elements;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::optional<std::size_t> size = SizeOfValue(type, rest, encoding);
    if (!size) return std::nullopt;
    rest = rest.subspan(*size);
  }
  return elements.size() - rest.size();
}

// ShortenValue keeps fewer elements of an array, or fewer bytes of a string.
bool ShortenValue(Entry& entry, std::size_t step, Encoding encoding, Arena& arena) {
  const bool array = entry.type == IdOf(ValueType::kArray);
  if (!array && entry.type != IdOf(ValueType::kString)) return false;
  const Bytes word = entry.value.subspan(array ? 4 : 0);
  const Bytes contents = word.subspan(encoding.word);
  const std::uint64_t count = encoding.word == 8 ? Load<std::uint64_t>(word, encoding.order)
                                                 : Load<std::uint32_t>(word, encoding.order);
  if (count == 0) return false;
  const std::uint64_t kept = Kept(count, step);
  const std::optional<std::size_t> size =
      array
          ? ElementsEnd(Load<std::uint32_t>(entry.value, encoding.order), contents, kept, encoding)
          : std::size_t{kept};
  if (!size) return false;
  const MutableBytes shorter = arena.Take(entry.value.size() - contents.size() + *size);
  if (shorter.empty()) return false;
  Writer writer(shorter, encoding);
  if (array) writer.PutBytes(entry.value.first(4));
  writer.PutWord(kept).PutBytes(contents.first(*size));
  entry.value = shorter;
  return true;
}

bool ShortenText(std::string_view& text) {
  if (text.size() < 2) return false;
  text = text.substr(0, text.size() / 2);
  return true;
}

bool ReduceEntry(File& file, Entry& entry, std::size_t step, Arena& arena) {
  if (step == kEntrySteps - 1) return ShortenText(entry.key);
  return ShortenValue(entry, step, file.draft.encoding, arena);
}

// ReduceToBlock keeps one block of a tensor, and removes the rest of its data.
bool ReduceToBlock(File& file, Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type);
  if (type == nullptr || tensor.dimension_count == 0) return false;
  const std::uint64_t size = SizeOfTensor(tensor).value_or(UINT64_MAX);
  if (size <= type->block_bytes) return false;
  tensor.dims = {type->block_elements, 1, 1, 1, 1};
  if (!file.aligned) return true;
  const std::uint64_t kept =
      CheckedAlignUp(type->block_bytes, file.draft.alignment).value_or(UINT64_MAX);
  const std::optional<std::uint64_t> begin = CheckedAdd(tensor.offset, kept);
  if (begin) LeaveOut(file, *begin, NextOffset(file, tensor.offset));
  return true;
}

bool Apply(File& file, std::size_t step, Arena& arena) {
  Draft& draft = file.draft;
  if (step < kTailSteps) return CutTail(file, step);
  step -= kTailSteps;
  if (const Run run = RunOf(draft.entries.size(), step); run.size > 0) {
    return DropEntries(file, run);
  }
  if (const Run run = RunOf(draft.tensors.size(), step); run.size > 0) {
    return DropTensors(file, run);
  }
  if (step < draft.opaque.size()) {
    DropPieces(draft, Piece::Kind::kOpaque, {.begin = step, .size = 1});
    return true;
  }
  step -= draft.opaque.size();
  if (step / kEntrySteps < draft.entries.size()) {
    return ReduceEntry(file, draft.entries[step / kEntrySteps], step % kEntrySteps, arena);
  }
  step -= kEntrySteps * draft.entries.size();
  if (step / kTensorSteps >= draft.tensors.size()) return false;
  Tensor& tensor = draft.tensors[step / kTensorSteps];
  return step % kTensorSteps == 0 ? ReduceToBlock(file, tensor) : ShortenText(tensor.name);
}

}  // namespace

std::size_t CountReductions(const Draft& draft) {
  return kTailSteps + CountRuns(draft.entries.size()) + CountRuns(draft.tensors.size()) +
         draft.opaque.size() + kEntrySteps * draft.entries.size() +
         kTensorSteps * draft.tensors.size();
}

std::optional<std::size_t> Reduce(Bytes input, std::size_t step, Draft& draft, Arena& arena,
                                  MutableBytes out) {
  arena.Reset();
  File file = Open(input, draft);
  if (!Apply(file, step, arena)) return std::nullopt;
  const std::optional<std::size_t> size =
      Close(file, out.first(std::min(out.size(), input.size())));
  if (!size || std::ranges::equal(out.first(*size), input)) return std::nullopt;
  return size;
}

}  // namespace ggufgate::mutate

#include "mutate/edits/disorder.h"

#include <algorithm>
#include <array>

#include "mutate/build/draw.h"
#include "mutate/build/engine_number.h"
#include "mutate/file/transcode.h"

namespace ggufgate::mutate {
namespace {

// Change replaces a number of `size` bytes at `at`, if the file is long enough. The new number is
// near a boundary, a number of this file, from the engine, near the old number, or the maximum, so
// that additions overflow.
bool Change(MutationContext& context, std::uint64_t at, std::size_t size) {
  const MutableBytes bytes = context.bytes();
  if (at > bytes.size() || bytes.size() - at < size) return false;
  std::uint64_t number =
      size == 8 ? context.Get<std::uint64_t>(at) : context.Get<std::uint32_t>(at);
  switch (context.random.Below(5)) {
    case 0:
      number = BoundaryNumber(context.random);
      break;
    case 1:
      number = FileNumber(context);
      break;
    case 2:
      number = EngineNumber(context, number, size);
      break;
    case 3:
      number = UINT64_MAX;
      break;
    default:
      number += context.random.Below(33) - 16;
      break;
  }
  if (size == 8) {
    context.Put(at, number);
  } else {
    context.Put(at, static_cast<std::uint32_t>(number));
  }
  return true;
}

bool ChangeCount(MutationContext& context) {
  const std::size_t word = context.draft.encoding.word;
  return Change(context, 8 + (context.random.OneIn(2) ? word : 0), word);
}

bool ChangeEntry(MutationContext& context) {
  const Placement& placement = context.placement;
  const std::size_t count = std::min(placement.entries.size(), context.draft.entries.size());
  if (count == 0) return false;
  const std::size_t i = context.random.Below(count);
  const Entry& entry = context.draft.entries[i];
  const std::uint64_t begin = placement.entries[i];
  const std::uint64_t value = Placement::ValueAt(begin, entry);
  switch (context.random.Below(4)) {
    case 0:
      return Change(context, begin, 8);
    case 1:
      return Change(context, Placement::TypeAt(begin, entry), 4);
    case 2:  // of an array: its element type
      return Change(context, value, 4);
    default:  // of a string: its length; of an array: its count
      return Change(context, entry.type == IdOf(ValueType::kArray) ? value + 4 : value, 8);
  }
}

bool ChangeTensor(MutationContext& context) {
  const Placement& placement = context.placement;
  const std::size_t count = std::min(placement.tensors.size(), context.draft.tensors.size());
  if (count == 0) return false;
  const std::size_t i = context.random.Below(count);
  const Tensor& tensor = context.draft.tensors[i];
  const std::uint64_t begin = placement.tensors[i];
  switch (context.random.Below(5)) {
    case 0:
      return Change(context, begin, 8);
    case 1:
      return Change(context, Placement::DimensionCountAt(begin, tensor), 4);
    case 2:
      return Change(context, Placement::TypeAt(begin, tensor), 4);
    case 3:
      return Change(context, Placement::OffsetAt(begin, tensor), 8);
    default:
      return tensor.dimension_count > 0 &&
             Change(context,
                    Placement::DimensionAt(begin, tensor,
                                           context.random.Below(tensor.dimension_count)),
                    8);
  }
}

// Boundary returns the start or end of a random part of the file.
std::uint64_t Boundary(MutationContext& context) {
  const Placement& placement = context.placement;
  const std::array<std::uint64_t, 8> ends = {4,
                                             8,
                                             16,
                                             24,
                                             placement.metadata_end,
                                             placement.directory_end,
                                             placement.data_begin,
                                             placement.data_end};
  switch (context.random.Below(4)) {
    case 0:
      if (!placement.entries.empty()) return context.random.Pick(placement.entries.Things());
      break;
    case 1:
      if (!placement.tensors.empty()) return context.random.Pick(placement.tensors.Things());
      break;
    case 2:
      if (!placement.data.empty()) return context.random.Pick(placement.data.Things());
      break;
    default:
      break;
  }
  return context.random.Pick(ends);
}

bool CutAtBoundary(MutationContext& context) {
  const std::uint64_t at = Boundary(context);
  return context.Cut(at + context.random.Below(3) - 1);
}

bool InsertAtBoundary(MutationContext& context) {
  const std::uint64_t at = Boundary(context);
  const std::size_t count = context.random.Between(1, 33);
  if (!context.Insert(at, count)) return false;
  const auto fill = static_cast<std::uint8_t>(context.random.OneIn(2) ? 0 : context.random.Next());
  std::ranges::fill(context.bytes().subspan(at, count), fill);
  return true;
}

// TurnHeader changes the byte order of the header only.
bool TurnHeader(MutationContext& context) {
  const std::size_t word = context.draft.encoding.word;
  const MutableBytes bytes = context.bytes();
  if (bytes.size() < 8 + 2 * word) return false;
  std::ranges::reverse(bytes.subspan(4, 4));
  if (context.random.OneIn(2)) {
    std::ranges::reverse(bytes.subspan(8, word));
    std::ranges::reverse(bytes.subspan(8 + word, word));
  }
  return true;
}

// ThroughTextMode inserts a carriage return before each line feed, as a transfer in text mode does.
bool ThroughTextMode(MutationContext& context) {
  const auto feeds = static_cast<std::size_t>(std::ranges::count(context.bytes(), '\n'));
  std::size_t from = context.bytes().size();
  if (feeds == 0 || feeds > context.room() - from) return false;
  context.Resize(from + feeds);
  const MutableBytes bytes = context.bytes();
  for (std::size_t to = bytes.size(); to > from;) {
    bytes[--to] = bytes[--from];
    if (bytes[to] == '\n') bytes[--to] = '\r';
  }
  return true;
}

}  // namespace

void TurnEncoding(MutationContext& context) {
  Draft& draft = context.draft;
  const Encoding from = draft.encoding;
  Encoding to = from;
  const std::uint64_t drawn = context.random.Below(3);
  if (drawn != 1) to.order = from.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
  if (drawn != 0) to.word = from.word == 8 ? 4 : 8;
  for (Entry& entry : draft.entries) {
    if (SizeOfValue(entry.type, entry.value, from) != entry.value.size()) continue;
    const Bytes turned = Transcode(entry.type, entry.value, from, to, context.arena);
    if (!turned.empty()) entry.value = turned;
  }
  draft.encoding = to;
  if (context.random.OneIn(4)) return;  // the version contradicts the encoding
  draft.version = to.word == 4 ? 1 : 3;
}

void ClaimCounts(MutationContext& context) {
  std::uint64_t& count =
      context.random.OneIn(2) ? context.draft.metadata_count : context.draft.tensor_count;
  switch (context.random.Below(8)) {
    case 0:
      count = BoundaryNumber(context.random);
      break;
    case 1:
      count = EngineNumber(context, count, context.draft.encoding.word);
      break;
    default:
      count += context.random.Below(5) - 2;
      break;
  }
}

void AdoptNew(Draft& draft) {
  const auto count = [&](Piece::Kind kind) {
    return static_cast<std::size_t>(std::ranges::count(draft.pieces, kind, &Piece::kind));
  };
  const auto first = std::ranges::find(draft.pieces, Piece::Kind::kTensor, &Piece::kind);
  const auto at = first - draft.pieces.begin();
  const auto end = static_cast<std::ptrdiff_t>(draft.pieces.size());
  for (std::size_t i = count(Piece::Kind::kEntry); i < draft.entries.size(); ++i) {
    if (!draft.pieces.Add({Piece::Kind::kEntry, static_cast<std::uint32_t>(i)})) break;
    ++draft.metadata_count;
  }
  // Insert before the first tensor. `pieces` has room for all pieces from the start, so `at` stays
  // valid.
  std::rotate(draft.pieces.begin() + at, draft.pieces.begin() + end, draft.pieces.end());
  for (std::size_t i = count(Piece::Kind::kTensor); i < draft.tensors.size(); ++i) {
    if (!draft.pieces.Add({Piece::Kind::kTensor, static_cast<std::uint32_t>(i)})) return;
    ++draft.tensor_count;
  }
}

bool Disorder(MutationContext& context) {
  const bool wide = context.draft.encoding.word == 8;  // placement requires this
  switch (context.random.Below(9)) {
    case 0:
      return ChangeCount(context);
    case 1:
    case 2:
      return wide && ChangeEntry(context);
    case 3:
    case 4:
      return wide && ChangeTensor(context);
    case 5:
      return CutAtBoundary(context);
    case 6:
      return InsertAtBoundary(context);
    case 7:
      return ThroughTextMode(context);
    default:
      return TurnHeader(context);
  }
}

}  // namespace ggufgate::mutate

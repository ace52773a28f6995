#include "mutate/disorder.h"

#include <algorithm>
#include <array>

#include "mutate/transcode.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// Change puts a number near a boundary, near what is there or of this file in the place of one of
// `size` bytes at `at`, if the file goes that far.
bool Change(Bench& bench, std::uint64_t at, std::size_t size) {
  const MutableBytes bytes = bench.bytes();
  if (at > bytes.size() || bytes.size() - at < size) return false;
  std::uint64_t number = 0;
  switch (bench.random.Below(3)) {
    case 0:
      number = BoundaryNumber(bench.random);
      break;
    case 1:
      number = FileNumber(bench);
      break;
    default:
      number = (size == 8 ? bench.Get<std::uint64_t>(at) : bench.Get<std::uint32_t>(at)) +
               bench.random.Below(33) - 16;
      break;
  }
  if (size == 8) {
    bench.Put(at, number);
  } else {
    bench.Put(at, static_cast<std::uint32_t>(number));
  }
  return true;
}

bool ChangeCount(Bench& bench) {
  const std::size_t word = bench.draft.encoding.word;
  return Change(bench, 8 + (bench.random.OneIn(2) ? word : 0), word);
}

bool ChangeEntry(Bench& bench) {
  const Placement& placement = bench.placement;
  const std::size_t count = std::min(placement.entries.size(), bench.draft.entries.size());
  if (count == 0) return false;
  const std::size_t i = bench.random.Below(count);
  const Entry& entry = bench.draft.entries[i];
  const std::uint64_t begin = placement.entries[i];
  const std::uint64_t value = Placement::ValueAt(begin, entry);
  switch (bench.random.Below(4)) {
    case 0:
      return Change(bench, begin, 8);
    case 1:
      return Change(bench, Placement::TypeAt(begin, entry), 4);
    case 2:  // of an array: its element type
      return Change(bench, value, 4);
    default:  // of a string: its length; of an array: its count
      return Change(bench,
                    entry.type == static_cast<std::uint32_t>(ValueType::kArray) ? value + 4 : value,
                    8);
  }
}

bool ChangeTensor(Bench& bench) {
  const Placement& placement = bench.placement;
  const std::size_t count = std::min(placement.tensors.size(), bench.draft.tensors.size());
  if (count == 0) return false;
  const std::size_t i = bench.random.Below(count);
  const Tensor& tensor = bench.draft.tensors[i];
  const std::uint64_t begin = placement.tensors[i];
  switch (bench.random.Below(5)) {
    case 0:
      return Change(bench, begin, 8);
    case 1:
      return Change(bench, Placement::DimensionCountAt(begin, tensor), 4);
    case 2:
      return Change(bench, Placement::TypeAt(begin, tensor), 4);
    case 3:
      return Change(bench, Placement::OffsetAt(begin, tensor), 8);
    default:
      return tensor.dimension_count > 0 &&
             Change(
                 bench,
                 Placement::DimensionAt(begin, tensor, bench.random.Below(tensor.dimension_count)),
                 8);
  }
}

// Boundary is a place where a part of the file begins or ends.
std::uint64_t Boundary(Bench& bench) {
  const Placement& placement = bench.placement;
  const std::array<std::uint64_t, 8> ends = {4,
                                             8,
                                             16,
                                             24,
                                             placement.metadata_end,
                                             placement.directory_end,
                                             placement.data_begin,
                                             placement.data_end};
  switch (bench.random.Below(4)) {
    case 0:
      if (!placement.entries.empty()) return bench.random.Pick(placement.entries.Things());
      break;
    case 1:
      if (!placement.tensors.empty()) return bench.random.Pick(placement.tensors.Things());
      break;
    case 2:
      if (!placement.data.empty()) return bench.random.Pick(placement.data.Things());
      break;
    default:
      break;
  }
  return bench.random.Pick(ends);
}

bool CutAtBoundary(Bench& bench) {
  const std::uint64_t at = Boundary(bench);
  return bench.Cut(at + bench.random.Below(3) - 1);
}

bool InsertAtBoundary(Bench& bench) {
  const std::uint64_t at = Boundary(bench);
  const std::size_t count = bench.random.Between(1, 33);
  if (!bench.Insert(at, count)) return false;
  const auto fill = static_cast<std::uint8_t>(bench.random.OneIn(2) ? 0 : bench.random.Next());
  std::ranges::fill(bench.bytes().subspan(at, count), fill);
  return true;
}

// TurnHeader leaves the header in one byte order and the rest in the other.
bool TurnHeader(Bench& bench) {
  const std::size_t word = bench.draft.encoding.word;
  const MutableBytes bytes = bench.bytes();
  if (bytes.size() < 8 + 2 * word) return false;
  std::ranges::reverse(bytes.subspan(4, 4));
  if (bench.random.OneIn(2)) {
    std::ranges::reverse(bytes.subspan(8, word));
    std::ranges::reverse(bytes.subspan(8 + word, word));
  }
  return true;
}

// ThroughTextMode does to the file what a transfer as text does: each line feed gets a carriage
// return in front.
bool ThroughTextMode(Bench& bench) {
  const auto feeds = static_cast<std::size_t>(std::ranges::count(bench.bytes(), '\n'));
  std::size_t from = bench.bytes().size();
  if (feeds == 0 || feeds > bench.room() - from) return false;
  bench.Resize(from + feeds);
  const MutableBytes bytes = bench.bytes();
  for (std::size_t to = bytes.size(); to > from;) {
    bytes[--to] = bytes[--from];
    if (bytes[to] == '\n') bytes[--to] = '\r';
  }
  return true;
}

}  // namespace

void TurnEncoding(Bench& bench) {
  Draft& draft = bench.draft;
  const Encoding from = draft.encoding;
  Encoding to = from;
  const std::uint64_t drawn = bench.random.Below(3);
  if (drawn != 1) to.order = from.order == ByteOrder::kBig ? ByteOrder::kLittle : ByteOrder::kBig;
  if (drawn != 0) to.word = from.word == 8 ? 4 : 8;
  for (Entry& entry : draft.entries) {
    if (SizeOfValue(entry.type, entry.value, from) != entry.value.size()) continue;
    const Bytes turned = Transcode(entry.type, entry.value, from, to, bench.scratch);
    if (!turned.empty()) entry.value = turned;
  }
  draft.encoding = to;
  if (bench.random.OneIn(4)) return;  // the version says otherwise
  draft.version = to.word == 4 ? 1 : 3;
}

void ClaimCounts(Bench& bench) {
  std::uint64_t& count =
      bench.random.OneIn(2) ? bench.draft.metadata_count : bench.draft.tensor_count;
  count = bench.random.OneIn(4) ? BoundaryNumber(bench.random) : count + bench.random.Below(5) - 2;
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
  // Before the first tensor; there was room for all pieces from the start, so `at` still holds.
  std::rotate(draft.pieces.begin() + at, draft.pieces.begin() + end, draft.pieces.end());
  for (std::size_t i = count(Piece::Kind::kTensor); i < draft.tensors.size(); ++i) {
    if (!draft.pieces.Add({Piece::Kind::kTensor, static_cast<std::uint32_t>(i)})) return;
    ++draft.tensor_count;
  }
}

bool Disorder(Bench& bench) {
  const bool wide = bench.draft.encoding.word == 8;  // placement knows only these
  switch (bench.random.Below(8)) {
    case 0:
      return ChangeCount(bench);
    case 1:
    case 2:
      return wide && ChangeEntry(bench);
    case 3:
      return wide && ChangeTensor(bench);
    case 4:
      return CutAtBoundary(bench);
    case 5:
      return InsertAtBoundary(bench);
    case 6:
      return ThroughTextMode(bench);
    default:
      return TurnHeader(bench);
  }
}

}  // namespace ggufgate::mutate

// Files that end too early: at and around every boundary. What a gate says of a cut depends on what
// stands there, so that every lie looks for the places where its own rule answers.

#include <algorithm>
#include <array>
#include <optional>

#include "mutate/mutations.h"
#include "mutate/parts.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kTries = 64;

// Ended is what a reader misses first when a record is cut.
enum class Ended : std::uint8_t { kInNumber, kInText, kInArray };

std::uint64_t LengthAt(Bytes bytes, std::uint64_t at) {
  return Load<std::uint64_t>(bytes.subspan(at), ByteOrder::kLittle);
}

// EndedStrings says where in an array of `count` strings a cut after `kept` of their bytes falls. A
// count that the bytes left could not hold is told first.
Ended EndedStrings(Bytes strings, std::uint64_t count, std::uint64_t kept) {
  if (count > kept / 8) return Ended::kInArray;
  std::uint64_t at = 0;
  while (at + 8 <= kept) {
    const std::uint64_t next = at + 8 + LengthAt(strings, at);
    if (next > kept) return Ended::kInText;
    at = next;
  }
  return Ended::kInNumber;
}

// EndedValue says where in a value a cut after `kept` of its bytes falls.
Ended EndedValue(const Entry& entry, std::uint64_t kept) {
  if (IsOfType(entry, ValueType::kString)) return kept < 8 ? Ended::kInNumber : Ended::kInText;
  const std::optional<std::uint32_t> element = ElementTypeOf(entry);
  if (!element || kept < 12) return Ended::kInNumber;
  if (*element != static_cast<std::uint32_t>(ValueType::kString)) return Ended::kInArray;
  return EndedStrings(entry.value.subspan(12), LengthAt(entry.value, 4), kept - 12);
}

Ended EndedIn(const Entry& entry, std::uint64_t kept) {
  const std::uint64_t value_at = 8 + entry.key.size() + 4;
  if (kept >= value_at) return EndedValue(entry, kept - value_at);
  return kept >= 8 && kept < 8 + entry.key.size() ? Ended::kInText : Ended::kInNumber;
}

Ended EndedIn(const Tensor& tensor, std::uint64_t kept) {
  return kept >= 8 && kept < 8 + tensor.name.size() ? Ended::kInText : Ended::kInNumber;
}

// Boundary is where one field of a record ends and the next begins.
std::uint64_t BoundaryOf(const Entry& entry, Random& random) {
  const std::uint64_t key = 8 + entry.key.size();
  const std::array<std::uint64_t, 6> ends = {0, 8, key, key + 4, key + 12, key + 16};
  return random.Pick(ends);
}
std::uint64_t BoundaryOf(const Tensor& tensor, Random& random) {
  const std::uint64_t name = 8 + tensor.name.size();
  const std::array<std::uint64_t, 5> ends = {0, 8, name, name + 4, name + 4 + 8 * random.Below(5)};
  return random.Pick(ends);
}

// CutRecord cuts the file in one of `records`, which begin at `begins`, where `wanted` ends. So
// that the counts are believed, `before` bytes must be there behind the header.
template <typename Record>
bool CutRecord(Bench& bench, const Table<Record>& records, const Table<std::uint64_t>& begins,
               std::uint64_t before, Ended wanted) {
  if (!bench.Write() || records.empty()) return false;
  const auto first = static_cast<std::size_t>(
      std::ranges::lower_bound(begins, kHeaderBytes + before) - begins.begin());
  if (first >= records.size()) return false;
  for (std::size_t i = 0; i < kTries; ++i) {
    // The last is the one that was added in case.
    const std::size_t k =
        i % 4 == 3 ? records.size() - 1 : bench.random.Between(first, records.size() - 1);
    const std::uint64_t size = SizeOf(records[k]);
    std::uint64_t kept = bench.random.Below(size);
    if (bench.random.OneIn(2)) {
      kept = BoundaryOf(records[k], bench.random) + bench.random.Below(3);
      kept -= std::min<std::uint64_t>(kept, 1);
    }
    if (kept < size && EndedIn(records[k], kept) == wanted) return bench.Cut(begins[k] + kept);
  }
  return false;
}

// CutMetadata adds an entry to cut, behind all others, and one before them that makes up for what
// tiny entries lack to the 13 bytes that a gate reckons with. Tensors beyond the room would be told
// of first.
bool CutMetadata(Bench& bench, Ended wanted, ValueType type, Bytes last) {
  const std::string_view first_key = FreshName(bench);
  const std::string_view last_key = FreshName(bench);
  const Bytes first = StringValue(bench, 32);
  Draft& draft = bench.draft;
  if (first_key.empty() || last_key.empty() || first.empty() || last.empty()) return false;
  if (draft.entries.size() + 2 > Draft::kMostEntries || !HasRoom(bench, 256)) return false;
  draft.entries.Insert(
      0,
      {.key = first_key, .type = static_cast<std::uint32_t>(ValueType::kString), .value = first});
  draft.entries.Add({.key = last_key, .type = static_cast<std::uint32_t>(type), .value = last});
  std::uint64_t before = 0;
  for (const Entry& entry : draft.entries) before += SizeOf(entry);
  before -= SizeOf(draft.entries.back());
  draft.tensors.Cut(before / kMinimumTensorBytes);
  const std::uint64_t needed =
      std::max(kMinimumKeyBytes * draft.entries.size(), kMinimumTensorBytes * draft.tensors.size());
  return CutRecord(bench, draft.entries, bench.placement.entries, needed, wanted);
}

// CutTensors cuts the directory.
bool CutTensors(Bench& bench, Ended wanted) {
  if (!AddValue(bench, ValueType::kString, StringValue(bench, 40))) return false;
  if (!AddTensor(bench, TensorType::kF32, 1, bench.draft.tensors.size())) return false;
  const Draft& draft = bench.draft;
  return CutRecord(bench, draft.tensors, bench.placement.tensors,
                   kMinimumTensorBytes * draft.tensors.size(), wanted);
}

}  // namespace

bool LieCutHeader(Bench& bench) {
  return bench.Write() && bench.Cut(bench.random.Below(kHeaderBytes));
}

bool LieCutBeforeTensors(Bench& bench) {
  if (!SomeTensor(bench) || !bench.Write()) return false;
  return bench.Cut(kHeaderBytes +
                   bench.random.Below(kMinimumTensorBytes * bench.draft.tensors.size()));
}

bool LieCutBeforeKeys(Bench& bench) {
  if (!HasRoom(bench, 0) || !SomeEntry(bench)) return false;
  bench.draft.tensors.Clear();
  if (!bench.Write()) return false;
  return bench.Cut(kHeaderBytes +
                   bench.random.Below(kMinimumKeyBytes * bench.draft.entries.size()));
}

bool LieCutInNumber(Bench& bench) {
  return CutMetadata(bench, Ended::kInNumber, ValueType::kU64, NumberValue(bench, 1, 8));
}

bool LieCutInText(Bench& bench) {
  return CutMetadata(bench, Ended::kInText, ValueType::kString,
                     StringValue(bench, bench.random.Between(1, 40)));
}

bool LieCutInArray(Bench& bench) {
  const ValueType element = bench.random.OneIn(2) ? ValueType::kF32 : ValueType::kString;
  return CutMetadata(bench, Ended::kInArray, ValueType::kArray,
                     ArrayValue(bench, element, bench.random.Between(1, 5)));
}

bool LieCutInDirectory(Bench& bench) { return CutTensors(bench, Ended::kInNumber); }

bool LieCutInName(Bench& bench) { return CutTensors(bench, Ended::kInText); }

// From the end of the directory, at every tensor's boundaries and between them.
bool LieCutData(Bench& bench) {
  if (!LastTensorWithData(bench) || !bench.Write()) return false;
  const Placement& placement = bench.placement;
  std::uint64_t at = bench.random.Between(placement.directory_end, placement.data_end - 1);
  if (bench.random.OneIn(2)) {
    const std::uint64_t near = bench.random.Pick(placement.data.Things());
    at = std::clamp(near + bench.random.Below(3) - 1, placement.directory_end,
                    placement.data_end - 1);
  }
  return bench.Cut(at);
}

bool LieCutLastByte(Bench& bench) {
  return LastTensorWithData(bench) && bench.Write() && bench.Cut(bench.placement.data_end - 1);
}

}  // namespace ggufgate::mutate

// Truncated files: cut at and near every boundary. A gate's finding depends on the place of the
// cut. So each lie searches for places that break its rule.

#include <algorithm>
#include <array>
#include <optional>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kTries = 64;

// Ended is the first thing that a reader misses when a record is cut.
enum class Ended : std::uint8_t { kInNumber, kInText, kInArray };

// EndedStrings classifies a cut after `kept` bytes of `count` strings. A count that exceeds the
// remaining bytes is reported first.
Ended EndedStrings(Bytes elements, std::uint64_t count, std::uint64_t kept) {
  if (count > kept / kStringHead) return Ended::kInArray;
  Strings strings(elements.first(kept));
  while (strings.Next()) {
  }
  return strings.rest().size() < kStringHead ? Ended::kInNumber : Ended::kInText;
}

// EndedValue classifies a cut after `kept` bytes of a value.
Ended EndedValue(const Entry& entry, std::uint64_t kept) {
  if (Is(entry, ValueType::kString)) return kept < kStringHead ? Ended::kInNumber : Ended::kInText;
  if (!IsArray(entry) || kept < kArrayHead) return Ended::kInNumber;
  if (!IsArrayOf(entry, ValueType::kString)) return Ended::kInArray;
  return EndedStrings(ElementsOf(entry), CountOf(entry), kept - kArrayHead);
}

Ended EndedIn(const Entry& entry, std::uint64_t kept) {
  const std::uint64_t value_at = 8 + entry.key.size() + 4;
  if (kept >= value_at) return EndedValue(entry, kept - value_at);
  return kept >= 8 && kept < 8 + entry.key.size() ? Ended::kInText : Ended::kInNumber;
}

Ended EndedIn(const Tensor& tensor, std::uint64_t kept) {
  return kept >= 8 && kept < 8 + tensor.name.size() ? Ended::kInText : Ended::kInNumber;
}

// BoundaryOf returns the end of a random field of a record.
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

// CutRecord cuts one of `records` in a place of kind `wanted`; `begins` has their offsets. At least
// `before` bytes must remain after the header, so that the counts pass the check.
template <typename Record>
bool CutRecord(MutationContext& context, const FixedVector<Record>& records,
               const FixedVector<std::uint64_t>& begins, std::uint64_t before, Ended wanted) {
  if (!context.Write() || records.empty()) return false;
  const auto first = static_cast<std::size_t>(
      std::ranges::lower_bound(begins, kHeaderBytes + before) - begins.begin());
  if (first >= records.size()) return false;
  for (std::size_t i = 0; i < kTries; ++i) {
    // The last record was added as a fallback.
    const std::size_t k =
        i % 4 == 3 ? records.size() - 1 : context.random.Between(first, records.size() - 1);
    const std::uint64_t size = SizeOf(records[k]);
    std::uint64_t kept = context.random.Below(size);
    if (context.random.OneIn(2)) {
      kept = BoundaryOf(records[k], context.random) + context.random.Below(3);
      kept -= std::min<std::uint64_t>(kept, 1);
    }
    if (kept < size && EndedIn(records[k], kept) == wanted) return context.Cut(begins[k] + kept);
  }
  return false;
}

// CutMetadata appends an entry to cut. It also adds one before the others, so that entries average
// the 13 bytes that a gate assumes at least. It drops tensors that do not fit, because a gate would
// report their count first.
bool CutMetadata(MutationContext& context, Ended wanted, ValueType type, Bytes last) {
  const std::string_view first_key = FreshName(context);
  const std::string_view last_key = FreshName(context);
  const Bytes first = DrawString(context, 32);
  Draft& draft = context.draft;
  if (first_key.empty() || last_key.empty() || first.empty() || last.empty()) return false;
  if (draft.entries.size() + 2 > Draft::kMostEntries || !HasRoom(context, 256)) return false;
  draft.entries.Insert(0, EntryOf(first_key, ValueType::kString, first));
  draft.entries.Add(EntryOf(last_key, type, last));
  std::uint64_t before = 0;
  for (const Entry& entry : draft.entries) before += SizeOf(entry);
  before -= SizeOf(draft.entries.back());
  draft.tensors.Cut(before / kMinimumTensorBytes);
  const std::uint64_t needed =
      std::max(kMinimumKeyBytes * draft.entries.size(), kMinimumTensorBytes * draft.tensors.size());
  return CutRecord(context, draft.entries, context.placement.entries, needed, wanted);
}

// CutTensors cuts the tensor directory.
bool CutTensors(MutationContext& context, Ended wanted) {
  if (!InsertValue(context, ValueType::kString, DrawString(context, 40))) return false;
  if (!InsertTensor(context, TensorType::kF32, 1, context.draft.tensors.size())) return false;
  const Draft& draft = context.draft;
  return CutRecord(context, draft.tensors, context.placement.tensors,
                   kMinimumTensorBytes * draft.tensors.size(), wanted);
}

}  // namespace

bool LieCutHeader(MutationContext& context) {
  return context.Write() && context.Cut(context.random.Below(kHeaderBytes));
}

bool LieCutBeforeTensors(MutationContext& context) {
  if (!SomeTensor(context) || !context.Write()) return false;
  return context.Cut(kHeaderBytes +
                     context.random.Below(kMinimumTensorBytes * context.draft.tensors.size()));
}

bool LieCutBeforeKeys(MutationContext& context) {
  if (!HasRoom(context, 0) || !SomeEntry(context)) return false;
  context.draft.tensors.Clear();
  if (!context.Write()) return false;
  return context.Cut(kHeaderBytes +
                     context.random.Below(kMinimumKeyBytes * context.draft.entries.size()));
}

bool LieCutInNumber(MutationContext& context) {
  return CutMetadata(context, Ended::kInNumber, ValueType::kU64, NumberValue(context.arena, 1, 8));
}

bool LieCutInText(MutationContext& context) {
  return CutMetadata(context, Ended::kInText, ValueType::kString,
                     DrawString(context, context.random.Between(1, 40)));
}

bool LieCutInArray(MutationContext& context) {
  const ValueType element = context.random.OneIn(2) ? ValueType::kF32 : ValueType::kString;
  return CutMetadata(context, Ended::kInArray, ValueType::kArray,
                     PlainArrayValue(context.arena, element, context.random.Between(1, 5)));
}

bool LieCutInDirectory(MutationContext& context) { return CutTensors(context, Ended::kInNumber); }

bool LieCutInName(MutationContext& context) { return CutTensors(context, Ended::kInText); }

// Cuts after the directory: at the boundaries of tensors, and between them.
bool LieCutData(MutationContext& context) {
  if (!LastTensorWithData(context) || !context.Write()) return false;
  const Placement& placement = context.placement;
  std::uint64_t at = context.random.Between(placement.directory_end, placement.data_end - 1);
  if (context.random.OneIn(2)) {
    const std::uint64_t near = context.random.Pick(placement.data.Things());
    at = std::clamp(near + context.random.Below(3) - 1, placement.directory_end,
                    placement.data_end - 1);
  }
  return context.Cut(at);
}

bool LieCutLastByte(MutationContext& context) {
  return LastTensorWithData(context) && context.Write() &&
         context.Cut(context.placement.data_end - 1);
}

}  // namespace ggufgate::mutate

// Repairs of single keys, without knowledge of models: copies, and the alignment.

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "bytes/checked.h"
#include "check/values.h"
#include "repair/workbench.h"

namespace ggufgate {
namespace {

bool IsSameValue(const Document& document, const MetadataEntry& a, const MetadataEntry& b) {
  return a.type == b.type &&
         std::ranges::equal(document.BytesAt(a.ValueRange()), document.BytesAt(b.ValueRange()));
}

// RepairCopies handles the entries of one key, in the order of the file.
void RepairCopies(Workbench& bench, std::span<const MetadataEntry* const> copies) {
  const MetadataEntry& first = *copies.front();
  const auto is_same = [&](const MetadataEntry* copy) {
    return IsSameValue(bench.document, first, *copy);
  };
  if (!std::ranges::all_of(copies, is_same)) {
    bench.Leave(DoubtId::kDifferentValues, first.key);
    return;
  }
  for (const MetadataEntry* copy : copies.subspan(1)) {
    bench.Remove(*copy);
    bench.Say({.repair = RepairId::kDuplicateKey,
               .subject = SubjectOf(copy->key),
               .a = copy->range.begin});
  }
}

}  // namespace

void RepairDuplicateKey(Workbench& bench) {
  if (!bench.Has(RuleId::kKeyDuplicate)) return;
  std::vector<const MetadataEntry*> sorted;
  sorted.reserve(bench.document.metadata.size());
  for (const MetadataEntry& entry : bench.document.metadata) sorted.push_back(&entry);
  std::ranges::sort(sorted, {}, [](const MetadataEntry* entry) {
    return std::pair(entry->key, entry->range.begin);
  });
  std::span<const MetadataEntry* const> left(sorted);
  while (!left.empty()) {
    const auto other = std::ranges::find_if(
        left, [&](const MetadataEntry* entry) { return entry->key != left.front()->key; });
    const auto size = static_cast<std::size_t>(other - left.begin());
    if (size > 1) RepairCopies(bench, left.first(size));
    left = left.subspan(size);
  }
}

namespace {

void RemoveAlignment(Workbench& bench, const MetadataEntry& entry, std::uint64_t value) {
  bench.Remove(entry);
  bench.new_alignment = kDefaultAlignment;
  bench.Say({.repair = RepairId::kUselessAlignment,
             .subject = SubjectOf(entry.key),
             .a = value,
             .b = kDefaultAlignment});
}

// RepairAlignmentOfType handles a key of another type than u32. Some programs read such a key and
// others ignore it. With the value 32 both find the data at the same place.
void RepairAlignmentOfType(Workbench& bench, const MetadataEntry& entry) {
  const std::optional<Integer> value = IntegerOf(bench.document, entry);
  const auto begin = CheckedAlignUp(bench.document.directory_end, kDefaultAlignment);
  if (!begin || value != Integer{.magnitude = kDefaultAlignment}) {
    bench.Leave(DoubtId::kAlignmentType, entry.key);
    return;
  }
  bench.data_begin = begin;
  RemoveAlignment(bench, entry, kDefaultAlignment);
}

}  // namespace

void RepairUselessAlignment(Workbench& bench) {
  const MetadataEntry* entry = bench.document.Find(kAlignmentKey);
  if (entry == nullptr) return;
  if (entry->type != ValueType::kU32) {
    RepairAlignmentOfType(bench, *entry);
    return;
  }
  const std::uint64_t value = bench.document.alignment.value_or(0);
  if (value == kDefaultAlignment) return;
  if (!std::has_single_bit(value)) {
    bench.Leave(DoubtId::kAlignmentValue, entry->key);
  } else if (LiesAs(bench, kDefaultAlignment) && LiesAs(bench, value)) {
    RemoveAlignment(bench, *entry, value);
  } else if (bench.Has(RuleId::kAlignmentSmall) || bench.Has(RuleId::kAlignmentLarge)) {
    bench.Leave(DoubtId::kAlignmentUsed, entry->key);
  }
}

}  // namespace ggufgate

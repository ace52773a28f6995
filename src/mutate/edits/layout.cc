// Edits of version and alignment. Repair lays out the data with the resulting alignment.

#include <array>

#include "format/limits.h"
#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// All alignments that a gate may accept, from the smallest to the largest; the default is 32.
constexpr std::uint32_t kPage = 4096;
constexpr std::array<std::uint32_t, 12> kAlignments = {
    1, 2, 4, 8, 16, 32, 64, 128, kPage, 4 * kPage, 16 * kPage, Limits{}.alignment};

Bytes MakeAlignment(MutationContext& context) {
  // Mostly small ones: with a large one, a small file has no room for data.
  const std::size_t among = context.random.OneIn(4) ? kAlignments.size() : 8;
  return NumberValue(context.arena, kAlignments.at(context.random.Below(among)), 4);
}

// PutAlignment moves the alignment key, with its old value or a new one, to the start or the end.
bool PutAlignment(MutationContext& context, bool last) {
  FixedVector<Entry>& entries = context.draft.entries;
  Entry entry{.key = kAlignmentKey, .type = IdOf(ValueType::kU32)};
  if (const Entry* old = context.draft.Find(kAlignmentKey); old != nullptr) {
    entry = *old;
    entries.Keep([](const Entry& any) { return any.key != kAlignmentKey; });
  } else {
    entry.value = MakeAlignment(context);
  }
  return !entry.value.empty() && entries.Insert(last ? entries.size() : 0, entry);
}

}  // namespace

bool EditAlignment(MutationContext& context) {
  const Bytes value = MakeAlignment(context);
  if (Entry* entry = context.draft.Find(kAlignmentKey); entry != nullptr && !value.empty()) {
    entry->type = IdOf(ValueType::kU32);
    entry->value = value;
    return true;
  }
  return AddAnywhere(context, EntryOf(kAlignmentKey, ValueType::kU32, value));
}

bool EditNoAlignment(MutationContext& context) {
  if (context.draft.Find(kAlignmentKey) == nullptr) return false;
  DropKey(context.draft, kAlignmentKey);
  return true;
}

bool EditAlignmentFirst(MutationContext& context) { return PutAlignment(context, false); }

bool EditAlignmentLast(MutationContext& context) { return PutAlignment(context, true); }

bool EditVersion(MutationContext& context) {
  context.draft.version = context.draft.version == 2 ? 3 : 2;
  return true;
}

}  // namespace ggufgate::mutate

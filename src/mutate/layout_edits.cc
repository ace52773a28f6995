// Edits of version and alignment. Repair lays the data out by the alignment that is left.

#include <array>

#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// All that a gate may accept, smallest and largest included; the default is 32.
constexpr std::array<std::uint32_t, 12> kAlignments = {1,  2,   4,    8,     16,    32,
                                                       64, 128, 4096, 16384, 65536, 1U << 20};

Bytes MakeAlignment(Bench& bench) {
  // Mostly small ones: a large one leaves no room for data in a small file.
  const std::size_t among = bench.random.OneIn(4) ? kAlignments.size() : 8;
  return PutNumber(bench.scratch, kAlignments.at(bench.random.Below(among)), 4);
}

// PutAlignment makes the alignment key, with the value it had or a new one, the record at `to`.
bool PutAlignment(Bench& bench, bool last) {
  Table<Entry>& entries = bench.draft.entries;
  Entry entry{.key = kAlignmentKey, .type = static_cast<std::uint32_t>(ValueType::kU32)};
  if (const Entry* old = bench.draft.Find(kAlignmentKey); old != nullptr) {
    entry = *old;
    entries.Keep([](const Entry& any) { return any.key != kAlignmentKey; });
  } else {
    entry.value = MakeAlignment(bench);
  }
  return !entry.value.empty() && entries.Insert(last ? entries.size() : 0, entry);
}

}  // namespace

bool EditAlignment(Bench& bench) {
  const Bytes value = MakeAlignment(bench);
  if (Entry* entry = bench.draft.Find(kAlignmentKey); entry != nullptr && !value.empty()) {
    entry->type = static_cast<std::uint32_t>(ValueType::kU32);
    entry->value = value;
    return true;
  }
  return AddEntry(bench, kAlignmentKey, ValueType::kU32, value);
}

bool EditNoAlignment(Bench& bench) {
  if (bench.draft.Find(kAlignmentKey) == nullptr) return false;
  bench.draft.entries.Keep([](const Entry& entry) { return entry.key != kAlignmentKey; });
  return true;
}

bool EditAlignmentFirst(Bench& bench) { return PutAlignment(bench, false); }

bool EditAlignmentLast(Bench& bench) { return PutAlignment(bench, true); }

bool EditVersion(Bench& bench) {
  bench.draft.version = bench.draft.version == 2 ? 3 : 2;
  return true;
}

}  // namespace ggufgate::mutate

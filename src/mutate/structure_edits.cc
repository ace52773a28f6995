// Records moved, copied, dropped. What is borrowed from another file: crossover_edits.cc.

#include <algorithm>
#include <utility>

#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// Move takes one record from its place to another.
template <typename Record>
bool Move(Table<Record>& records, Random& random) {
  if (records.size() < 2) return false;
  const std::size_t from = random.Below(records.size());
  const std::size_t to = (from + random.Between(1, records.size() - 1)) % records.size();
  const auto first = records.begin();
  const auto at = [first](std::size_t i) { return first + static_cast<std::ptrdiff_t>(i); };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return true;
}

// Shuffle brings all records into another order (Fisher and Yates).
template <typename Record>
bool Shuffle(Table<Record>& records, Random& random) {
  if (records.size() < 2) return false;
  for (std::size_t i = records.size() - 1; i > 0; --i) {
    std::swap(records[i], records[random.Below(i + 1)]);
  }
  return true;
}

// DropRun takes away some records in a row.
template <typename Record>
bool DropRun(Table<Record>& records, Random& random) {
  if (records.size() < 2) return false;
  const std::size_t begin = random.Below(records.size());
  const std::size_t end = random.Between(begin + 1, records.size());
  std::size_t at = 0;
  records.Keep([&](const Record&) {
    const bool dropped = at >= begin && at < end;
    ++at;
    return !dropped;
  });
  return true;
}

}  // namespace

bool EditDropEntry(Bench& bench) {
  if (bench.draft.entries.empty()) return false;
  bench.draft.entries.Remove(bench.random.Below(bench.draft.entries.size()));
  return true;
}

bool EditDropEntries(Bench& bench) { return DropRun(bench.draft.entries, bench.random); }

bool EditDropTensor(Bench& bench) {
  if (bench.draft.tensors.empty()) return false;
  bench.draft.tensors.Remove(bench.random.Below(bench.draft.tensors.size()));
  return true;
}

bool EditDropTensors(Bench& bench) { return DropRun(bench.draft.tensors, bench.random); }

bool EditMoveEntry(Bench& bench) { return Move(bench.draft.entries, bench.random); }

bool EditMoveTensor(Bench& bench) { return Move(bench.draft.tensors, bench.random); }

bool EditShuffleEntries(Bench& bench) { return Shuffle(bench.draft.entries, bench.random); }

bool EditShuffleTensors(Bench& bench) { return Shuffle(bench.draft.tensors, bench.random); }

bool EditCopyTensor(Bench& bench) {
  const Tensor* tensor = AnyOf(bench.draft.tensors, bench.random);
  if (tensor == nullptr) return false;
  Tensor copy = *tensor;
  copy.name = MakeWord(bench, bench.random.Between(2, 20));
  if (copy.name.empty()) return false;
  return bench.draft.tensors.Insert(bench.random.Below(bench.draft.tensors.size() + 1), copy);
}

bool EditStartOver(Bench& bench) {
  if (bench.draft.entries.empty() && bench.draft.tensors.empty()) return false;
  bench.draft.Clear();
  return AddEntry(bench, kArchitectureKey, ValueType::kString, PutString(bench.scratch, "llama"));
}

}  // namespace ggufgate::mutate

// Moves, copies and drops records. For records of another file, see mutate/edits/crossover.cc.

#include <algorithm>
#include <utility>

#include "mutate/build/compose.h"
#include "mutate/build/draw.h"
#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Move moves one record to another position.
template <typename Record>
bool Move(FixedVector<Record>& records, Random& random) {
  if (records.size() < 2) return false;
  const auto [from, to] = random.Two(records.size());
  const auto first = records.begin();
  const auto at = [first](std::size_t i) { return first + static_cast<std::ptrdiff_t>(i); };
  if (from < to) {
    std::rotate(at(from), at(from + 1), at(to + 1));
  } else {
    std::rotate(at(to), at(from), at(from + 1));
  }
  return true;
}

// Shuffle brings all records into a random order (Fisher and Yates).
template <typename Record>
bool Shuffle(FixedVector<Record>& records, Random& random) {
  if (records.size() < 2) return false;
  for (std::size_t i = records.size() - 1; i > 0; --i) {
    std::swap(records[i], records[random.Below(i + 1)]);
  }
  return true;
}

// DropRun removes some consecutive records.
template <typename Record>
bool DropRun(FixedVector<Record>& records, Random& random) {
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

bool EditDropEntry(MutationContext& context) {
  if (context.draft.entries.empty()) return false;
  context.draft.entries.Remove(context.random.Below(context.draft.entries.size()));
  return true;
}

bool EditDropEntries(MutationContext& context) {
  return DropRun(context.draft.entries, context.random);
}

bool EditDropTensor(MutationContext& context) {
  if (context.draft.tensors.empty()) return false;
  context.draft.tensors.Remove(context.random.Below(context.draft.tensors.size()));
  return true;
}

bool EditDropTensors(MutationContext& context) {
  return DropRun(context.draft.tensors, context.random);
}

bool EditMoveEntry(MutationContext& context) { return Move(context.draft.entries, context.random); }

bool EditMoveTensor(MutationContext& context) {
  return Move(context.draft.tensors, context.random);
}

bool EditShuffleEntries(MutationContext& context) {
  return Shuffle(context.draft.entries, context.random);
}

bool EditShuffleTensors(MutationContext& context) {
  return Shuffle(context.draft.tensors, context.random);
}

bool EditCopyTensor(MutationContext& context) {
  const Tensor* tensor = AnyOf(context.draft.tensors, context.random);
  if (tensor == nullptr) return false;
  Tensor copy = *tensor;
  copy.name = DrawWord(context, context.random.Between(2, 20));
  if (copy.name.empty()) return false;
  return InsertAnywhere(context.random, context.draft.tensors, copy);
}

bool EditStartOver(MutationContext& context) {
  if (context.draft.entries.empty() && context.draft.tensors.empty()) return false;
  context.draft.Clear();
  return AddAnywhere(context, TextEntry(context.arena, kArchitectureKey, "llama"));
}

}  // namespace ggufgate::mutate

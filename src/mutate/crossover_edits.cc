// Records borrowed from the donor, another input of the fuzzer. None applies without one.
//
// The records of the donor view its bytes, which outlive the mutant, and have been brought to the
// encoding of the draft (Normalise).

#include <algorithm>

#include "mutate/mutations.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// Splice leaves the front of one list and puts the end of the other behind it.
template <typename Record>
bool Splice(Table<Record>& records, const Table<Record>& others, Random& random) {
  if (others.empty()) return false;
  records.Cut(random.Below(records.size() + 1));
  for (std::size_t i = random.Below(others.size()); i < others.size(); ++i) {
    if (!records.Add(others[i])) break;
  }
  return true;
}

}  // namespace

bool EditBorrowEntry(Bench& bench) {
  const Entry* borrowed = AnyOf(bench.donor.entries, bench.random);
  if (borrowed == nullptr) return false;
  // In the place of one's own where there is one, since of two with one key only the first stays.
  if (Entry* own = bench.draft.Find(borrowed->key); own != nullptr) {
    *own = *borrowed;
    return true;
  }
  return bench.draft.entries.Insert(bench.random.Below(bench.draft.entries.size() + 1), *borrowed);
}

bool EditBorrowValue(Bench& bench) {
  const Entry* borrowed = AnyOf(bench.donor.entries, bench.random);
  Entry* own = AnyOf(bench.draft.entries, bench.random);
  if (borrowed == nullptr || own == nullptr) return false;
  own->type = borrowed->type;
  own->value = borrowed->value;
  return true;
}

bool EditBorrowTensor(Bench& bench) {
  const Tensor* borrowed = AnyOf(bench.donor.tensors, bench.random);
  if (borrowed == nullptr) return false;
  const auto own = std::ranges::find(bench.draft.tensors, borrowed->name, &Tensor::name);
  if (own != bench.draft.tensors.end()) {
    *own = *borrowed;
    return true;
  }
  return bench.draft.tensors.Insert(bench.random.Below(bench.draft.tensors.size() + 1), *borrowed);
}

bool EditBorrowData(Bench& bench) {
  const Tensor* borrowed = AnyOf(bench.donor.tensors, bench.random);
  Tensor* own = AnyOf(bench.draft.tensors, bench.random);
  if (borrowed == nullptr || own == nullptr || borrowed->data.empty()) return false;
  own->data = borrowed->data;
  return true;
}

bool EditBorrowTail(Bench& bench) {
  Bytes rest = bench.donor.tail;
  if (rest.empty() || bench.draft.tensors.empty()) return false;
  bench.draft.tail = rest;
  for (Tensor& tensor : bench.draft.tensors) {
    const std::size_t size = std::min(rest.size(), tensor.data.size());
    tensor.data = rest.first(size);
    rest = rest.subspan(size);
  }
  return true;
}

bool EditBorrowEntries(Bench& bench) {
  return Splice(bench.draft.entries, bench.donor.entries, bench.random);
}

bool EditBorrowTensors(Bench& bench) {
  return Splice(bench.draft.tensors, bench.donor.tensors, bench.random);
}

bool EditBorrowDirectory(Bench& bench) {
  if (bench.donor.tensors.empty()) return false;
  bench.draft.tensors.Clear();
  for (const Tensor& tensor : bench.donor.tensors) bench.draft.tensors.Add(tensor);
  bench.draft.tail = bench.donor.tail;
  return true;
}

}  // namespace ggufgate::mutate

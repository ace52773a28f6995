// Borrows records from the donor, another input of the fuzzer. Without a donor, no edit applies.
//
// The records of the donor view its bytes, which outlive the mutant. Normalise has converted them
// to the encoding of the draft.

#include <algorithm>

#include "mutate/build/records.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// Splice keeps the front of one list and appends the end of the other.
template <typename Record>
bool Splice(FixedVector<Record>& records, const FixedVector<Record>& others, Random& random) {
  if (others.empty()) return false;
  records.Cut(random.Below(records.size() + 1));
  for (std::size_t i = random.Below(others.size()); i < others.size(); ++i) {
    if (!records.Add(others[i])) break;
  }
  return true;
}

}  // namespace

bool EditBorrowEntry(MutationContext& context) {
  const Entry* borrowed = AnyOf(context.donor.entries, context.random);
  if (borrowed == nullptr) return false;
  // Replace an entry with the same key: of two such entries, Repair keeps only the first.
  if (Entry* own = context.draft.Find(borrowed->key); own != nullptr) {
    *own = *borrowed;
    return true;
  }
  return InsertAnywhere(context.random, context.draft.entries, *borrowed);
}

bool EditBorrowValue(MutationContext& context) {
  const Entry* borrowed = AnyOf(context.donor.entries, context.random);
  Entry* own = AnyOf(context.draft.entries, context.random);
  if (borrowed == nullptr || own == nullptr) return false;
  own->type = borrowed->type;
  own->value = borrowed->value;
  return true;
}

bool EditBorrowTensor(MutationContext& context) {
  const Tensor* borrowed = AnyOf(context.donor.tensors, context.random);
  if (borrowed == nullptr) return false;
  const auto own = std::ranges::find(context.draft.tensors, borrowed->name, &Tensor::name);
  if (own != context.draft.tensors.end()) {
    *own = *borrowed;
    return true;
  }
  return InsertAnywhere(context.random, context.draft.tensors, *borrowed);
}

bool EditBorrowData(MutationContext& context) {
  const Tensor* borrowed = AnyOf(context.donor.tensors, context.random);
  Tensor* own = AnyOf(context.draft.tensors, context.random);
  if (borrowed == nullptr || own == nullptr || borrowed->data.empty()) return false;
  own->data = borrowed->data;
  return true;
}

bool EditBorrowTail(MutationContext& context) {
  Bytes rest = context.donor.tail;
  if (rest.empty() || context.draft.tensors.empty()) return false;
  context.draft.tail = rest;
  for (Tensor& tensor : context.draft.tensors) {
    const std::size_t size = std::min(rest.size(), tensor.data.size());
    tensor.data = rest.first(size);
    rest = rest.subspan(size);
  }
  return true;
}

bool EditBorrowEntries(MutationContext& context) {
  return Splice(context.draft.entries, context.donor.entries, context.random);
}

bool EditBorrowTensors(MutationContext& context) {
  return Splice(context.draft.tensors, context.donor.tensors, context.random);
}

bool EditBorrowDirectory(MutationContext& context) {
  if (context.donor.tensors.empty()) return false;
  context.draft.tensors.Clear();
  for (const Tensor& tensor : context.donor.tensors) context.draft.tensors.Add(tensor);
  context.draft.tail = context.donor.tail;
  return true;
}

}  // namespace ggufgate::mutate

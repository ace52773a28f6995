#include "mutate/trim.h"

#include <algorithm>

#include "mutate/attach.h"

namespace ggufgate::mutate {

Trim::Trim(std::size_t most_bytes) : best_(most_bytes), candidate_(most_bytes) {}

std::size_t Trim::Begin(Bytes input) {
  step_ = steps_ = best_size_ = candidate_size_ = 0;
  if (input.size() > best_.size()) return 0;
  std::ranges::copy(input, best_.begin());
  best_size_ = input.size();
  ReadBest();
  const bool writes = WriteWhole(draft_, candidate_, placement_);
  whole_ = writes && std::ranges::equal(Bytes(candidate_).first(placement_.size), best());
  steps_ = whole_ ? draft_.tensors.size() + draft_.entries.size() : draft_.pieces.size();
  while (!done() && !Prepare()) ++step_;
  return steps_;
}

void Trim::Answer(bool will_do) {
  if (done()) return;
  if (will_do) {
    std::swap(best_, candidate_);
    best_size_ = candidate_size_;
  }
  ++step_;
  while (!done() && !Prepare()) ++step_;
}

void Trim::ReadBest() {
  TakeApart(best(), draft_);
  AttachData(draft_);
}

// Prepare readies the candidate of a step; false when it would not be smaller. Steps go from the
// last record to the first: what one takes away leaves the numbers of those to come as they are.
bool Trim::Prepare() {
  ReadBest();
  return (whole_ ? PrepareWhole() : PrepareAsItIs()) && candidate_size_ < best_size_;
}

bool Trim::PrepareWhole() {
  const std::size_t left = steps_ - step_ - 1;  // records before this one, tensors behind entries
  const std::size_t entries = draft_.entries.size();
  if (left >= entries + draft_.tensors.size()) return false;
  if (left >= entries) {
    draft_.tensors.Remove(left - entries);
  } else {
    draft_.entries.Remove(left);
  }
  LayOut(draft_);
  if (!WriteWhole(draft_, candidate_, placement_)) return false;
  candidate_size_ = placement_.size;
  return true;
}

bool Trim::PrepareAsItIs() {
  const std::size_t left = steps_ - step_ - 1;
  if (left >= draft_.pieces.size()) return false;
  const Piece::Kind kind = draft_.pieces[left].kind;
  if (kind == Piece::Kind::kEntry && draft_.metadata_count > 0) --draft_.metadata_count;
  if (kind == Piece::Kind::kTensor && draft_.tensor_count > 0) --draft_.tensor_count;
  draft_.pieces.Remove(left);
  const std::optional<std::size_t> size = Emit(draft_, candidate_);
  candidate_size_ = size.value_or(0);
  return size.has_value();
}

Bytes Reduce(Trim& trim, Bytes input, Random& random) {
  const std::size_t steps = trim.Begin(input);
  for (std::size_t left = random.Below(steps) + 1; !trim.done(); --left) {
    trim.Answer(random.OneIn(2) || left == 1);
    if (left == 1) break;
  }
  if (trim.best().size() < input.size()) return trim.best();
  return input.first(random.Below(input.size()));
}

}  // namespace ggufgate::mutate

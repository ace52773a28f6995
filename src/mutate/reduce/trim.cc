#include "mutate/reduce/trim.h"

#include <algorithm>
#include <optional>

namespace ggufgate::mutate {

std::size_t Trim::Begin(Bytes input) {
  step_ = steps_ = best_size_ = 0;
  candidate_ = {};
  if (input.size() > best_.size()) return 0;
  std::ranges::copy(input, best_.begin());
  best_size_ = input.size();
  steps_ = reducer_.Count(best());
  const std::size_t steps = steps_;
  Prepare();
  return steps;
}

void Trim::Answer(bool will_do) {
  if (done()) return;
  if (will_do) {
    std::ranges::copy(candidate_, best_.begin());
    best_size_ = candidate_.size();
    steps_ = reducer_.Count(best());
  } else {
    ++step_;
  }
  Prepare();
}

// Prepare makes the candidate: the result of the next step that makes the file smaller.
void Trim::Prepare() {
  candidate_ = {};
  for (; !done(); ++step_) {
    const std::optional<Bytes> reduced = reducer_.Make(best(), step_);
    if (!reduced || reduced->size() >= best_size_) continue;
    candidate_ = *reduced;
    return;
  }
}

}  // namespace ggufgate::mutate

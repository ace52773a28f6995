#pragma once

#include <cstddef>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/reduce/reduce.h"

namespace ggufgate::mutate {

// Trim makes a file smaller by the reductions of reduce.h, and asks after each whether the smaller
// one still does what matters (the same coverage, the same crash).
//
//   for (trim.Begin(input); !trim.done(); trim.Answer(StillCrashes(trim.candidate()))) {}
//   trim.best() is the smallest file that does.
//
// Takes its memory when it is made. A larger file than `most_bytes` is left as it is.
class Trim {
 public:
  explicit Trim(std::size_t most_bytes) : best_(most_bytes), reducer_(most_bytes) {}

  // Begin gives the number of steps there are, and readies the first candidate. The input is
  // copied.
  std::size_t Begin(Bytes input);

  // A step is repeated as long as what it gives will do, so that there are at most as many answers
  // as steps and bytes of the input.
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] bool done() const { return step_ >= steps_; }

  // What to try: smaller than best(). Valid until the next Answer().
  [[nodiscard]] Bytes candidate() const { return candidate_; }
  [[nodiscard]] Bytes best() const { return Bytes(best_).first(best_size_); }

  // Answer tells whether the candidate will do, and readies the next.
  void Answer(bool will_do);

 private:
  void Prepare();

  std::vector<std::uint8_t> best_;
  std::size_t best_size_ = 0;
  std::size_t step_ = 0;
  std::size_t steps_ = 0;  // of best()
  Bytes candidate_;        // views the reducer
  Reducer reducer_;
};

}  // namespace ggufgate::mutate

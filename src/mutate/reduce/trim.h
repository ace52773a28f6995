#pragma once

#include <cstddef>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/reduce/reduce.h"

namespace ggufgate::mutate {

// Trim makes a file smaller by the reductions of reduce.h. After each one it asks whether the
// smaller file still has the required property (the same coverage, the same crash).
//
//   for (trim.Begin(input); !trim.done(); trim.Answer(StillCrashes(trim.candidate()))) {}
//   trim.best() is the smallest file that does.
//
// The constructor allocates its memory. A file larger than `most_bytes` is not changed.
class Trim {
 public:
  explicit Trim(std::size_t most_bytes) : best_(most_bytes), reducer_(most_bytes) {}

  // Begin returns the number of steps, and makes the first candidate. It copies the input.
  std::size_t Begin(Bytes input);

  // A successful step is repeated. So there are at most as many answers as the sum of the steps and
  // the bytes of the input.
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] bool done() const { return step_ >= steps_; }

  // The file to test: smaller than best(). Valid until the next Answer().
  [[nodiscard]] Bytes candidate() const { return candidate_; }
  [[nodiscard]] Bytes best() const { return Bytes(best_).first(best_size_); }

  // Answer takes the result of the test, and makes the next candidate.
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

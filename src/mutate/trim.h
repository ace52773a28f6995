#pragma once

#include <cstddef>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/draft.h"
#include "mutate/placement.h"
#include "mutate/random.h"

namespace ggufgate::mutate {

// Trim makes a file smaller a step at a time, and asks after each whether the smaller one still
// does what matters (the same coverage, the same crash). Tensors go first, with their data, then
// metadata records; of a file that lies, records go and everything else stays as it is.
//
//   for (trim.Begin(input); !trim.done(); trim.Answer(StillCrashes(trim.candidate()))) {}
//   trim.best() is the smallest file that does.
//
// Takes its memory when it is made. A larger file than `most_bytes` is left as it is.
class Trim {
 public:
  explicit Trim(std::size_t most_bytes);

  // Begin gives the number of steps there are at most, and readies the first candidate. The input
  // is copied.
  std::size_t Begin(Bytes input);

  [[nodiscard]] bool done() const { return step_ == steps_; }
  [[nodiscard]] std::size_t step() const { return step_; }
  // What to try: smaller than best(). Valid until the next Answer().
  [[nodiscard]] Bytes candidate() const { return Bytes(candidate_).first(candidate_size_); }
  [[nodiscard]] Bytes best() const { return Bytes(best_).first(best_size_); }

  // Answer tells whether the candidate will do, and readies the next.
  void Answer(bool will_do);

 private:
  bool Prepare();
  bool PrepareWhole();
  bool PrepareAsItIs();
  void ReadBest();

  std::vector<std::uint8_t> best_;
  std::vector<std::uint8_t> candidate_;
  std::size_t best_size_ = 0;
  std::size_t candidate_size_ = 0;
  std::size_t step_ = 0;
  std::size_t steps_ = 0;
  bool whole_ = false;  // best() is what would be written of its draft
  Draft draft_;         // of best()
  Placement placement_;
};

// Reduce drops some records: the result is smaller than the input, unless that is empty. It views
// the trim.
[[nodiscard]] Bytes Reduce(Trim& trim, Bytes input, Random& random);

}  // namespace ggufgate::mutate

#pragma once

#include <cstddef>
#include <memory>

#include "mutate/mutant.h"

namespace ggufgate::mutate {

class Recipes;
class Workpiece;

// Mutator makes mutants of GGUF files. Its constructor allocates all the memory that it uses: about
// 8 times `most_bytes` and 2 MB. After that it does not allocate or throw, and no input makes it
// recurse. It may be used by one thread at a time.
class Mutator {
 public:
  // No mutant is larger than `most_bytes`; larger inputs are cut to it first. With `chosen`, the
  // mutants do not depend on other mutations.
  explicit Mutator(std::size_t most_bytes, Chosen chosen = nullptr);
  ~Mutator();
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;

  // Make always terminates, and never returns the input unchanged. If no mutant of the mode is
  // possible (max_size is below the 24 bytes of a header, or the input cannot be reduced), it
  // returns a raw one. With max_size 0 the mutant is empty.
  [[nodiscard]] Mutant Make(const Request& request);

 private:
  [[nodiscard]] Mutant Finished(Mode mode) const;

  std::size_t most_bytes_;
  std::unique_ptr<const Recipes> recipes_;  // the steps of each mode
  std::unique_ptr<Workpiece> piece_;        // the mutant that the steps change
};

}  // namespace ggufgate::mutate

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mutate/memory/random.h"
#include "mutate/models/learned_vocabularies.h"
#include "mutate/mutant.h"

namespace ggufgate::mutate {

class Workpiece;

// Recipes has the steps of each mode: edits, repair, writing, lies, and their order. It decides
// randomly, and has no state of a mutant.
class Recipes {
 public:
  explicit Recipes(Chosen chosen);

  // Follow tries once to make a mutant of a mode, which must not be kMixed. It returns false if the
  // request allows no such mutant, or if the try failed.
  [[nodiscard]] bool Follow(Mode mode, const Request& request, Random& random,
                            Workpiece& piece) const;

 private:
  using Mutations = std::vector<const Mutation*>;

  [[nodiscard]] bool Sound(bool from_nothing, Workpiece& piece) const;
  [[nodiscard]] bool Running(const Request& request, Workpiece& piece) const;
  [[nodiscard]] bool OneLie(DataNeeded data, Workpiece& piece) const;
  [[nodiscard]] bool Semi(Workpiece& piece) const;
  [[nodiscard]] bool SemiAsItStands(Workpiece& piece) const;
  void Edit(Workpiece& piece, std::size_t most) const;
  void Stack(Workpiece& piece, std::size_t most) const;
  // LiesThatShow returns the lies that a gate finds at this level of tensor data.
  [[nodiscard]] std::span<const Mutation* const> LiesThatShow(DataNeeded data) const;

  Mutations edits_, benign_, models_;
  Mutations borrows_;  // the edits that need a donor
  Mutations lies_;     // sorted by the data they need
  LearnedVocabularies vocabularies_;
};

// ForceChange changes one byte of the input, or drops the last one if the mode reduces (true). So
// the mutant differs from the input, even with the mutator of an engine.
[[nodiscard]] bool ForceChange(const Request& request, Mode wanted, Random& random,
                               Workpiece& piece);

}  // namespace ggufgate::mutate

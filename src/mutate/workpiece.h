#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/build/mutation_context.h"
#include "mutate/file/draft.h"
#include "mutate/file/placement.h"
#include "mutate/memory/arena.h"
#include "mutate/memory/fixed_vector.h"
#include "mutate/memory/random.h"
#include "mutate/memory/string_set.h"
#include "mutate/mutant.h"

namespace ggufgate::mutate {

inline constexpr std::size_t kMostStacked = 8;  // mutations in one mutant

// Borrows tells whether an edit needs a donor.
[[nodiscard]] bool Borrows(const Mutation& mutation);

// Workpiece is one mutant in the making, in memory that is taken once. Mutations and repair change
// it through its context; whatever was applied is noted.
class Workpiece {
 public:
  explicit Workpiece(std::size_t most_bytes);

  // Begin forgets the mutant before, and takes `records` apart: the input, or nothing.
  void Begin(const Request& request, Bytes records, Random& random);
  // StartOver takes back what was applied, and the memory that it took, but not the draft.
  void StartOver();

  [[nodiscard]] MutationContext& context() { return *context_; }
  [[nodiscard]] std::span<const Mutation* const> applied() const { return applied_.Things(); }

  // PeekAtDonor reads no more of the donor than tells whether it has records. Few mutants borrow:
  // the rest of it waits until one does.
  void PeekAtDonor();
  [[nodiscard]] bool HasDonor() const;
  // NormaliseRecords brings those of draft and donor into the encoding of sound files.
  void NormaliseRecords();

  // ApplyOneOf applies some mutation of a list; false where none that it tried applies.
  bool ApplyOneOf(std::span<const Mutation* const> mutations);

 private:
  void ReadDonor();

  Draft draft_;
  Draft donor_;
  Bytes unread_donor_;  // what donor_ has not been made of yet
  Arena arena_;
  std::size_t arena_room_ = 0;  // for this mutant
  Placement placement_;
  StringSet seen_;
  std::vector<std::uint8_t> out_;
  FixedVector<const Mutation*> applied_;
  std::optional<MutationContext> context_;
};

}  // namespace ggufgate::mutate

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

// Workpiece is one mutant under construction. It allocates its memory once. Mutations and repair
// change it through its context. It records each mutation that was applied.
class Workpiece {
 public:
  Workpiece(std::size_t most_bytes, Chosen chosen);

  // Begin forgets the mutant before, and takes `records` apart: the input, or nothing.
  void Begin(const Request& request, Bytes records, Random& random);
  // StartOver drops the record of mutations and releases the memory. The draft stays.
  void StartOver();

  [[nodiscard]] MutationContext& context() { return *context_; }
  [[nodiscard]] std::span<const Mutation* const> applied() const { return applied_.Things(); }

  // PeekAtDonor reads one record of the donor, if it has any. Few mutants borrow, so the rest is
  // read only for those.
  void PeekAtDonor();
  [[nodiscard]] bool HasDonor() const;
  // NormaliseRecords converts the records of draft and donor to the encoding of valid files.
  void NormaliseRecords();

  // ApplyOneOf applies some mutation of a list; false if all mutations that it tried failed.
  bool ApplyOneOf(std::span<const Mutation* const> mutations);

 private:
  void ReadDonor();

  Chosen chosen_;
  Draft draft_;
  Draft donor_;
  Bytes unread_donor_;  // not yet read into donor_
  Arena arena_;
  std::size_t arena_room_ = 0;  // for this mutant
  Placement placement_;
  StringSet seen_;
  std::vector<std::uint8_t> out_;
  FixedVector<const Mutation*> applied_;
  std::optional<MutationContext> context_;
};

}  // namespace ggufgate::mutate

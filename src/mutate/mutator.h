#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "mutate/file/draft.h"
#include "mutate/file/placement.h"
#include "mutate/memory/arena.h"
#include "mutate/memory/fixed_vector.h"
#include "mutate/memory/leaf_mutator.h"
#include "mutate/memory/random.h"
#include "mutate/memory/string_set.h"
#include "mutate/mutation.h"

namespace ggufgate::mutate {

class LearnedVocabularies;

// Mode says what kind of mutant is wanted.
enum class Mode : std::uint8_t {
  kConsistent,  // sound: a gate accepts it
  kOneLie,      // sound but for one named lie
  kSemi,        // edited and not repaired, several lies
  kRaw,         // bytes changed without regard for what they are
  kGenerate,    // sound, and made from the seed alone
  kMixed,       // the schedule for fuzzing: one of the above
  kReduce,      // simpler and no larger than the input, by one of the reductions of reduce.h
};

// Expectation is what the default profile of the gate says of a mutant.
enum class Expectation : std::uint8_t { kAccept, kReject, kAny };

// Request is what a mutant is made from. The same request gives the same bytes on every machine
// (unless `leaf` is given, which is the engine's).
struct Request {
  Bytes input;       // any bytes; may be empty
  Bytes donor = {};  // another input to borrow records from; may be empty
  Mode mode = Mode::kMixed;
  std::uint64_t seed = 0;
  std::size_t max_size =
      SIZE_MAX;  // of the mutant, in bytes; not more than the mutator has room for
  DataNeeded data = DataNeeded::kNone;  // one-lie: lies that show with this much data looked at
  LeafMutator leaf = nullptr;
};

// Mutant views memory of the mutator, and is valid until that makes the next.
struct Mutant {
  Bytes bytes;
  Mode mode = Mode::kMixed;  // as made, never kMixed
  std::span<const Mutation* const> mutations;
  Expectation expect = Expectation::kAny;
  std::string_view rules = {};  // kReject: slugs, separated by '|', one of which must be found
  std::optional<std::uint64_t> lie_at = {};
};

// Mutator makes mutants of GGUF files. Its constructor allocates all the memory that it uses: about
// 8 times `most_bytes` and 2 MB. After that it does not allocate, throw or recurse. It may be used
// by one thread at a time.
class Mutator {
 public:
  // No mutant is larger than `most_bytes`; larger inputs are cut to it first.
  explicit Mutator(std::size_t most_bytes);
  ~Mutator();
  Mutator(const Mutator&) = delete;
  Mutator& operator=(const Mutator&) = delete;

  // Make always ends, and never returns the input unchanged. Where no mutant of the mode can be
  // made (max_size is below the 24 bytes of a header, nothing in the input can be reduced), it
  // returns a raw one; with max_size 0 that is empty.
  [[nodiscard]] Mutant Make(const Request& request);

 private:
  bool Try(const Request& request, Mode mode, Random& random, Mutant& mutant);
  bool Consistent(MutationContext& context, Mutant& mutant);
  bool Running(MutationContext& context, const Request& request, Mutant& mutant);
  bool OneLie(MutationContext& context, DataNeeded data, Mutant& mutant);
  bool Semi(MutationContext& context);
  bool SemiAsItStands(MutationContext& context);
  bool Reduced(MutationContext& context, Bytes input);
  bool Raw(MutationContext& context, Bytes input);
  void ForceChange(const Request& request, Mode wanted, Random& random, Mutant& mutant);
  void PeekAtDonor();
  void ReadDonor();
  void Edit(MutationContext& context, std::size_t most);
  void Stack(MutationContext& context, std::size_t most);
  bool Apply(MutationContext& context, const Mutation& mutation);
  bool ApplyOneOf(MutationContext& context, std::span<const Mutation* const> mutations);

  Draft draft_;
  Draft donor_;
  Bytes unread_donor_;  // what donor_ has not been made of yet
  Arena arena_;
  Placement placement_;
  StringSet seen_;
  std::vector<std::uint8_t> out_;
  FixedVector<const Mutation*> applied_;
  std::unique_ptr<const LearnedVocabularies> vocabularies_;
  std::vector<const Mutation*> edits_, benign_, models_;
  std::vector<const Mutation*> borrows_;  // the edits that need a donor
  std::vector<const Mutation*> lies_;     // by the data they need
  // By DataNeeded: how many of the lies need no more.
  std::array<std::size_t, static_cast<std::size_t>(DataNeeded::kFull) + 1> shown_lies_{};
};

}  // namespace ggufgate::mutate

#include "mutate/mutator.h"

#include <algorithm>

#include "mutate/models/running_model.h"
#include "mutate/recipes.h"
#include "mutate/workpiece.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kAttempts = 8;  // mutants made until one differs from the input

// Scheduled is the schedule of mode kMixed, in hundredths. More than half of the mutants pass a
// parser: valid ones, and those with lies that a mere parser does not notice.
Mode Scheduled(Random& random) {
  const std::uint64_t drawn = random.Below(100);
  if (drawn < 5) return Mode::kRaw;
  if (drawn < 20) return Mode::kSemi;
  if (drawn < 58) return Mode::kOneLie;
  return Mode::kConsistent;
}

Expectation ExpectationOf(Mode mode) {
  switch (mode) {
    case Mode::kConsistent:
    case Mode::kGenerate:
      return Expectation::kAccept;
    case Mode::kOneLie:
      return Expectation::kReject;
    default:
      return Expectation::kAny;
  }
}

}  // namespace

Mutator::Mutator(std::size_t most_bytes, Chosen chosen)
    : most_bytes_(most_bytes),
      recipes_(std::make_unique<const Recipes>(chosen)),
      piece_(std::make_unique<Workpiece>(most_bytes, chosen)) {
  PrepareContracts();
}

Mutator::~Mutator() = default;

Mutant Mutator::Make(const Request& request) {
  Random random(request.seed);
  Request bounded = request;
  bounded.max_size = std::min(request.max_size, most_bytes_);
  bounded.input = request.input.first(std::min(request.input.size(), most_bytes_));
  bounded.donor = request.donor.first(std::min(request.donor.size(), most_bytes_));
  const Mode wanted = request.mode == Mode::kMixed ? Scheduled(random) : request.mode;
  const auto made = [&](Mode mode) {
    return recipes_->Follow(mode, bounded, random, *piece_) &&
           !std::ranges::equal(piece_->context().bytes(), request.input);
  };
  for (std::size_t i = 0; i < kAttempts; ++i) {
    if (made(wanted)) return Finished(wanted);
  }
  // Probably there is too little room for a file.
  for (std::size_t i = 0; i < kAttempts && wanted != Mode::kReduce; ++i) {
    if (made(Mode::kRaw)) return Finished(Mode::kRaw);
  }
  const bool reduced = ForceChange(bounded, wanted, random, *piece_);
  return Finished(reduced ? Mode::kReduce : Mode::kRaw);
}

Mutant Mutator::Finished(Mode mode) const {
  const MutationContext& context = piece_->context();
  Mutant mutant = {.bytes = context.bytes(),
                   .mode = mode,
                   .mutations = piece_->applied(),
                   .expect = ExpectationOf(mode)};
  if (mode == Mode::kOneLie) {
    mutant.rules = mutant.mutations.back()->rules;
    mutant.lie_at = context.lie_at;
  }
  return mutant;
}

}  // namespace ggufgate::mutate

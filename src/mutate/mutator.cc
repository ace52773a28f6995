#include "mutate/mutator.h"

#include <algorithm>

#include "mutate/attach.h"
#include "mutate/havoc.h"
#include "mutate/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMostStacked = 8;  // mutations in one mutant
constexpr std::size_t kTries = 16;       // mutations tried until one applies
constexpr std::size_t kAttempts = 8;     // mutants made until one differs from the input

// Stacked is 1 in half of all cases, 2 in a quarter, and so on.
std::size_t Stacked(Random& random) {
  const std::uint64_t bits = random.Next() | std::uint64_t{1} << (kMostStacked - 1);
  return static_cast<std::size_t>(std::countr_zero(bits)) + 1;
}

// Scheduled is the schedule of mode kMixed, in hundredths: mostly files that get past a parser.
Mode Scheduled(Random& random) {
  const std::uint64_t drawn = random.Below(100);
  if (drawn < 5) return Mode::kRaw;
  if (drawn < 15) return Mode::kSemi;
  if (drawn < 40) return Mode::kOneLie;
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

std::vector<const Mutation*> OfKind(MutationKind kind) {
  std::vector<const Mutation*> some;
  for (const Mutation& mutation : AllMutations()) {
    if (mutation.kind == kind) some.push_back(&mutation);
  }
  return some;
}

}  // namespace

Mutator::Mutator(std::size_t most_bytes)
    : scratch_(6 * most_bytes + (std::size_t{64} << 10)),
      seen_(Draft::kMostEntries),
      out_(most_bytes),
      applied_(2 * kMostStacked),
      edits_(OfKind(MutationKind::kEdit)),
      oddities_(OfKind(MutationKind::kOddity)),
      lies_(OfKind(MutationKind::kLie)) {
  std::ranges::sort(lies_, [](const Mutation* a, const Mutation* b) {
    return a->data != b->data ? a->data < b->data : a->slug < b->slug;
  });
}

Mutant Mutator::Make(const Request& request) {
  Random random(request.seed);
  Request bounded = request;
  bounded.max_size = std::min(request.max_size, out_.size());
  bounded.input = request.input.first(std::min(request.input.size(), out_.size()));
  const Mode wanted = request.mode == Mode::kMixed ? Scheduled(random) : request.mode;
  Mutant mutant;
  for (std::size_t i = 0; i < kAttempts; ++i) {
    if (!Try(bounded, wanted, random, mutant)) continue;
    if (!std::ranges::equal(mutant.bytes, request.input)) return mutant;
  }
  // Too little room for a file, most likely.
  while (!Try(bounded, Mode::kRaw, random, mutant) ||
         std::ranges::equal(mutant.bytes, request.input)) {
    if (bounded.max_size == 0) break;
  }
  return mutant;
}

bool Mutator::Try(const Request& request, Mode mode, Random& random, Mutant& mutant) {
  scratch_.Reset();
  applied_.Clear();
  Bench bench(draft_, donor_, scratch_, placement_, seen_,
              MutableBytes(out_).first(request.max_size), random, request.leaf);
  TakeApart(mode == Mode::kGenerate ? Bytes() : request.input, draft_);
  AttachData(draft_);
  TakeApart(request.donor, donor_);
  AttachData(donor_);

  mutant = {.mode = mode, .expect = ExpectationOf(mode)};
  bool made = false;
  if (request.max_size >= kHeaderBytes) {
    switch (mode) {
      case Mode::kConsistent:
      case Mode::kGenerate:
        made = Consistent(bench, mutant);
        break;
      case Mode::kOneLie:
        made = OneLie(bench, request.data, mutant);
        break;
      case Mode::kSemi:
        made = Semi(bench);
        break;
      default:
        break;
    }
  }
  if (mode == Mode::kRaw) made = Raw(bench, request.input);
  mutant.bytes = bench.bytes();
  mutant.lie_at = bench.lie_at;
  mutant.mutations = applied_.Things();
  return made;
}

bool Mutator::Consistent(Bench& bench, Mutant& mutant) {
  Edit(bench, kMostStacked);
  Repair(bench);
  if (!bench.Write()) return false;
  if (bench.random.OneIn(16)) ApplyOneOf(bench, oddities_);
  bench.lie_at.reset();
  mutant.rules = {};
  return true;
}

bool Mutator::OneLie(Bench& bench, DataNeeded data, Mutant& mutant) {
  if (bench.random.OneIn(4)) Edit(bench, 1);
  Repair(bench);
  const auto hidden = std::ranges::upper_bound(lies_, data, {}, &Mutation::data);
  const auto shown = static_cast<std::size_t>(hidden - lies_.begin());
  bench.lie_at.reset();
  if (!ApplyOneOf(bench, std::span(lies_).first(shown)) || !bench.Write()) return false;
  mutant.rules = applied_.back()->rules;
  return true;
}

bool Mutator::Semi(Bench& bench) {
  Edit(bench, 4);
  if (bench.random.OneIn(2)) Repair(bench);
  if (bench.random.OneIn(2)) ApplyOneOf(bench, lies_);
  if (!bench.Write()) return false;
  for (std::size_t i = Stacked(bench.random); i > 1; --i) {
    if (bench.bytes().size() != bench.placement.size) break;  // nothing stands where it stood
    ApplyOneOf(bench, lies_);
  }
  if (bench.random.OneIn(2)) Havoc(bench);
  return true;
}

bool Mutator::Raw(Bench& bench, Bytes input) {
  bench.Take(input);
  Havoc(bench);
  return true;
}

void Mutator::Edit(Bench& bench, std::size_t most) {
  for (std::size_t i = std::min(Stacked(bench.random), most); i > 0; --i) ApplyOneOf(bench, edits_);
}

bool Mutator::ApplyOneOf(Bench& bench, std::span<const Mutation* const> mutations) {
  for (std::size_t i = 0; i < kTries; ++i) {
    if (Apply(bench, *bench.random.Pick(mutations))) return true;
  }
  return false;
}

bool Mutator::Apply(Bench& bench, const Mutation& mutation) {
  if (!mutation.apply(bench)) return false;
  applied_.Add(&mutation);
  return true;
}

}  // namespace ggufgate::mutate

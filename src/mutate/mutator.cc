#include "mutate/mutator.h"

#include <algorithm>

#include "bytes/utf8.h"
#include "mutate/attach.h"
#include "mutate/disorder.h"
#include "mutate/generate.h"
#include "mutate/havoc.h"
#include "mutate/normalise.h"
#include "mutate/reduce.h"
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

// Scheduled is the schedule of mode kMixed, in hundredths. More than half get past a parser: the
// sound ones, and those whose lie is none to a loader that only parses.
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

template <typename Wanted>
std::vector<const Mutation*> Those(Wanted wanted) {
  std::vector<const Mutation*> some;
  for (const Mutation& mutation : AllMutations()) {
    if (wanted(mutation)) some.push_back(&mutation);
  }
  return some;
}

std::vector<const Mutation*> OfKind(MutationKind kind) {
  return Those([kind](const Mutation& mutation) { return mutation.kind == kind; });
}

std::vector<const Mutation*> Borrows() {
  return Those(
      [](const Mutation& mutation) { return mutation.slug.starts_with("structure-borrow"); });
}

// ScratchFor is the scratch memory, in bytes, for files of this size.
constexpr std::size_t ScratchFor(std::size_t bytes) { return 6 * bytes + (std::size_t{64} << 10); }

}  // namespace

Mutator::Mutator(std::size_t most_bytes)
    : scratch_(ScratchFor(most_bytes)),
      seen_(Draft::kMostEntries),
      out_(most_bytes),
      applied_(2 * kMostStacked),
      edits_(OfKind(MutationKind::kEdit)),
      oddities_(OfKind(MutationKind::kOddity)),
      borrows_(Borrows()),
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
  bounded.donor = request.donor.first(std::min(request.donor.size(), out_.size()));
  const Mode wanted = request.mode == Mode::kMixed ? Scheduled(random) : request.mode;
  Mutant mutant;
  const auto differs = [&] { return !std::ranges::equal(mutant.bytes, request.input); };
  for (std::size_t i = 0; i < kAttempts; ++i) {
    if (Try(bounded, wanted, random, mutant) && differs()) return mutant;
  }
  // Too little room for a file, most likely.
  for (std::size_t i = 0; i < kAttempts && wanted != Mode::kReduce; ++i) {
    if (Try(bounded, Mode::kRaw, random, mutant) && differs()) return mutant;
  }
  ForceChange(bounded, wanted, random, mutant);
  return mutant;
}

// ForceChange changes one byte of the input, or takes the last one off: not even an engine's own
// mutator can then give the input back.
void Mutator::ForceChange(const Request& request, Mode wanted, Random& random, Mutant& mutant) {
  applied_.Clear();
  std::size_t size = std::min(request.input.size(), request.max_size);
  std::ranges::copy(request.input.first(size), out_.begin());
  const bool reduce = wanted == Mode::kReduce && size > 0;
  if (reduce && size == request.input.size()) {
    --size;
  } else if (size > 0) {
    out_[random.Below(size)] ^= static_cast<std::uint8_t>(random.Between(1, 255));
  } else if (request.max_size > 0) {
    out_.front() = static_cast<std::uint8_t>(random.Next());
    size = 1;
  }
  mutant = {.bytes = Bytes(out_).first(size), .mode = reduce ? Mode::kReduce : Mode::kRaw};
}

bool Mutator::Try(const Request& request, Mode mode, Random& random, Mutant& mutant) {
  // By the request and not by what there is: whoever asks the same gets the same.
  scratch_.Reset(
      ScratchFor(std::max({request.max_size, request.input.size(), request.donor.size()})));
  applied_.Clear();
  Bench bench(draft_, donor_, scratch_, placement_, seen_,
              MutableBytes(out_).first(request.max_size), random, request.leaf);
  TakeApart(mode == Mode::kGenerate ? Bytes() : request.input, draft_);
  AttachData(draft_);
  donor_.Clear();
  if (!request.donor.empty()) {
    TakeApart(request.donor, donor_);
    AttachData(donor_);
  }

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
  if (mode == Mode::kReduce) made = Reduced(bench, request.input);
  mutant.bytes = bench.bytes();
  if (mode == Mode::kOneLie) mutant.lie_at = bench.lie_at;
  mutant.mutations = applied_.Things();
  return made;
}

bool Mutator::Consistent(Bench& bench, Mutant& mutant) {
  const bool empty = draft_.entries.empty() && draft_.tensors.empty();
  const bool from_nothing = mutant.mode == Mode::kGenerate || (empty && !bench.random.OneIn(4));
  if (from_nothing) Generate(bench);
  if (!from_nothing || bench.random.OneIn(8)) Edit(bench, kMostStacked);
  Repair(bench, Alignments::kAll);
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

// Semi leaves things wrong: unrepaired edits, a lie, and whatever Disorder adds. Lies are told of
// repaired drafts only, one at most: they take it for granted that everything else is sound.
bool Mutator::Semi(Bench& bench) {
  if (bench.random.OneIn(4)) return SemiAsItStands(bench);
  Edit(bench, 4);
  if (bench.random.OneIn(2)) {
    Repair(bench);
    if (bench.random.OneIn(2)) ApplyOneOf(bench, lies_);
  } else {
    if (draft_.alignment == 0) draft_.alignment = kDefaultAlignment;
    FitInto(bench);
    if (bench.random.OneIn(2)) LayOut(draft_);
  }
  if (!bench.written() && bench.random.OneIn(4)) TurnEncoding(bench);
  if (!bench.Write()) return false;
  for (std::size_t i = Stacked(bench.random); i > 0; --i) (void)Disorder(bench);
  if (bench.random.OneIn(4)) Havoc(bench);
  return true;
}

// SemiAsItStands keeps what the input has of opaque bytes, its byte order and its claims.
bool Mutator::SemiAsItStands(Bench& bench) {
  if (!draft_.has_counts) return false;
  Stack(bench, 4);
  AdoptNew(draft_);
  if (bench.random.OneIn(2)) ClaimCounts(bench);
  const std::uint64_t boundary = draft_.tail_begin;
  if (!draft_.has_counts || !bench.WriteAsIs()) return false;
  if (bench.random.OneIn(4)) (void)bench.Cut(boundary + bench.random.Below(3) - 1);
  if (bench.random.OneIn(4)) Havoc(bench);
  return true;
}

bool Mutator::Reduced(Bench& bench, Bytes input) {
  const std::size_t count = CountReductions(draft_);
  for (std::size_t i = 0; i < kTries; ++i) {
    // The first ones take the most away.
    const std::size_t among = bench.random.OneIn(2) ? std::min<std::size_t>(count, 32) : count;
    const auto size = Reduce(input, bench.random.Below(among), draft_, scratch_, bench.all());
    if (!size) continue;
    bench.Resize(*size);
    return true;
  }
  return false;
}

bool Mutator::Raw(Bench& bench, Bytes input) {
  bench.Take(input);
  Havoc(bench);
  return true;
}

void Mutator::Edit(Bench& bench, std::size_t most) {
  Normalise(draft_, scratch_);
  Normalise(donor_, scratch_);
  Stack(bench, most);
}

// Stack applies some edits, one on top of another. Who gives a donor wants something of it.
void Mutator::Stack(Bench& bench, std::size_t most) {
  std::size_t count = std::min(Stacked(bench.random), most);
  const bool borrow = !donor_.entries.empty() || !donor_.tensors.empty();
  if (borrow && bench.random.OneIn(2) && ApplyOneOf(bench, borrows_)) --count;
  for (; count > 0; --count) ApplyOneOf(bench, edits_);
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

#include "mutate/mutator.h"

#include <algorithm>

#include "bytes/utf8.h"
#include "mutate/build/mutation_context.h"
#include "mutate/edits/disorder.h"
#include "mutate/edits/havoc.h"
#include "mutate/file/attach.h"
#include "mutate/file/normalise.h"
#include "mutate/generate/generate.h"
#include "mutate/models/running_model.h"
#include "mutate/reduce/reduce.h"
#include "mutate/repair/repair.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMostStacked = 8;   // mutations in one mutant
constexpr std::size_t kTries = 16;        // mutations tried until one applies
constexpr std::size_t kRunningTries = 8;  // models made until one has room, and all shapes
constexpr std::size_t kAttempts = 8;      // mutants made until one differs from the input

// Stacked is 1 in half of all cases, 2 in a quarter, and so on.
std::size_t Stacked(Random& random) {
  const std::uint64_t bits = random.Next() | std::uint64_t{1} << (kMostStacked - 1);
  return static_cast<std::size_t>(std::countr_zero(bits)) + 1;
}

// Scheduled is the schedule of mode kMixed, in hundredths. More than half get past a parser: the
// sound ones, and those whose lie a loader that only parses does not notice.
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

bool Borrows(const Mutation& mutation) {
  return mutation.family == MutationFamily::kStructure &&
         mutation.slug.starts_with("structure-borrow");
}

// ArenaBytes is the size of the arena for files of this size.
constexpr std::size_t ArenaBytes(std::size_t bytes) { return 6 * bytes + (std::size_t{64} << 10); }

}  // namespace

Mutator::Mutator(std::size_t most_bytes)
    : arena_(ArenaBytes(most_bytes)),
      seen_(Draft::kMostEntries),
      out_(most_bytes),
      applied_(2 * kMostStacked),
      vocabularies_(std::make_unique<const LearnedVocabularies>()),
      edits_(OfKind(MutationKind::kEdit)),
      benign_(OfKind(MutationKind::kBenign)),
      models_(OfKind(MutationKind::kModel)),
      borrows_(Those(Borrows)),
      lies_(OfKind(MutationKind::kLie)) {
  std::ranges::sort(lies_, [](const Mutation* a, const Mutation* b) {
    return a->data != b->data ? a->data < b->data : a->slug < b->slug;
  });
  for (std::size_t data = 0; data < shown_lies_.size(); ++data) {
    const auto hidden = std::ranges::upper_bound(lies_, DataNeeded{static_cast<std::uint8_t>(data)},
                                                 {}, &Mutation::data);
    shown_lies_.at(data) = static_cast<std::size_t>(hidden - lies_.begin());
  }
}

Mutator::~Mutator() = default;

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
  arena_.Reset(
      ArenaBytes(std::max({request.max_size, request.input.size(), request.donor.size()})));
  applied_.Clear();
  MutationContext context(draft_, donor_, arena_, placement_, seen_,
                          MutableBytes(out_).first(request.max_size), random, request.leaf);
  // Raw mutants are made of bytes, and what is generated is made of nothing.
  const bool from_records = mode != Mode::kGenerate && mode != Mode::kRaw;
  TakeApart(from_records ? request.input : Bytes(), draft_);
  AttachData(draft_);
  donor_.Clear();
  unread_donor_ = request.donor;

  mutant = {.mode = mode, .expect = ExpectationOf(mode)};
  bool made = false;
  if (request.max_size >= kHeaderBytes) {
    switch (mode) {
      case Mode::kConsistent:
        made = Running(context, request, mutant) || Consistent(context, mutant);
        break;
      case Mode::kGenerate:
        made = Consistent(context, mutant);
        break;
      case Mode::kOneLie:
        made = OneLie(context, request.data, mutant);
        break;
      case Mode::kSemi:
        made = Semi(context);
        break;
      default:
        break;
    }
  }
  if (mode == Mode::kRaw) made = Raw(context, request.input);
  if (mode == Mode::kReduce) made = Reduced(context, request.input);
  mutant.bytes = context.bytes();
  if (mode == Mode::kOneLie) mutant.lie_at = context.lie_at;
  mutant.mutations = applied_.Things();
  return made;
}

bool Mutator::Consistent(MutationContext& context, Mutant& mutant) {
  const bool empty = draft_.entries.empty() && draft_.tensors.empty();
  const bool from_nothing = mutant.mode == Mode::kGenerate || (empty && !context.random.OneIn(4));
  if (from_nothing) Generate(context);
  if (!from_nothing || context.random.OneIn(8)) Edit(context, kMostStacked);
  Repair(context, Alignments::kAll);
  if (!context.Write()) return false;
  if (context.random.OneIn(16)) ApplyOneOf(context, benign_);
  context.lie_at.reset();
  mutant.rules = {};
  return true;
}

// Running makes a model that runs of an input that is one: a tiny model of its architecture,
// changed in ways with which it still does. Asked for sound files, it always does so; in a mixture
// half of the time, since files that only parse reach parts that these do not.
bool Mutator::Running(MutationContext& context, const Request& request, Mutant& mutant) {
  if (context.room() < RunningModel::kLeastRoom) return false;
  const Contract* const contract = RunningModel::ContractOf(draft_);
  if (contract == nullptr) return false;
  if (request.mode != Mode::kConsistent && context.random.OneIn(2)) return false;
  const std::size_t room = arena_.Left();
  bool made = false;
  for (std::size_t tries = 0; tries < kRunningTries && !made; ++tries) {
    arena_.Reset(room);
    applied_.Clear();
    RunningModel model(context, *contract, *vocabularies_);
    context.running = &model;
    made = model.Begin();
    for (std::size_t i = Stacked(context.random); made && i > 0; --i) ApplyOneOf(context, models_);
    made = made && model.Finish();
    context.running = nullptr;
  }
  if (made) {
    LayOut(draft_);
    mutant.rules = {};
    if (context.Write()) return true;
  }
  // What there was before.
  applied_.Clear();
  arena_.Reset(room);
  TakeApart(request.input, draft_);
  AttachData(draft_);
  return false;
}

bool Mutator::OneLie(MutationContext& context, DataNeeded data, Mutant& mutant) {
  if (context.random.OneIn(4)) Edit(context, 1);
  Repair(context);
  const std::size_t shown = shown_lies_.at(static_cast<std::size_t>(data));
  context.lie_at.reset();
  if (!ApplyOneOf(context, std::span(lies_).first(shown)) || !context.Write()) return false;
  mutant.rules = applied_.back()->rules;
  return true;
}

// Semi leaves things wrong: unrepaired edits, a lie, and whatever Disorder adds. Lies are told of
// repaired drafts only, one at most: they take it for granted that everything else is sound.
bool Mutator::Semi(MutationContext& context) {
  if (context.random.OneIn(4)) return SemiAsItStands(context);
  Edit(context, 4);
  if (context.random.OneIn(2)) {
    Repair(context);
    if (context.random.OneIn(2)) ApplyOneOf(context, lies_);
  } else {
    if (draft_.alignment == 0) draft_.alignment = kDefaultAlignment;
    FitInto(context);
    if (context.random.OneIn(2)) LayOut(draft_);
  }
  if (!context.written() && context.random.OneIn(4)) TurnEncoding(context);
  if (!context.Write()) return false;
  for (std::size_t i = Stacked(context.random); i > 0; --i) (void)Disorder(context);
  if (context.random.OneIn(4)) Havoc(context);
  return true;
}

// SemiAsItStands keeps what the input has of opaque bytes, its byte order and its claims.
bool Mutator::SemiAsItStands(MutationContext& context) {
  if (!draft_.has_counts) return false;
  PeekAtDonor();
  Stack(context, 4);
  AdoptNew(draft_);
  if (context.random.OneIn(2)) ClaimCounts(context);
  const std::uint64_t boundary = draft_.tail_begin;
  if (!draft_.has_counts || !context.WriteAsIs()) return false;
  if (context.random.OneIn(4)) (void)context.Cut(boundary + context.random.Below(3) - 1);
  if (context.random.OneIn(4)) Havoc(context);
  return true;
}

bool Mutator::Reduced(MutationContext& context, Bytes input) {
  const std::size_t count = CountReductions(draft_);
  for (std::size_t i = 0; i < kTries; ++i) {
    // The first ones take the most away.
    const std::size_t among = context.random.OneIn(2) ? std::min<std::size_t>(count, 32) : count;
    const auto size = Reduce(input, context.random.Below(among), draft_, arena_, context.all());
    if (!size) continue;
    context.Resize(*size);
    return true;
  }
  return false;
}

bool Mutator::Raw(MutationContext& context, Bytes input) {
  context.Take(input);
  Havoc(context);
  return true;
}

// PeekAtDonor reads no more of the donor than tells whether it has records. Few mutants borrow: the
// rest of it waits until one does.
void Mutator::PeekAtDonor() {
  if (!unread_donor_.empty()) TakeApart(unread_donor_, donor_, /*most_records=*/1);
}

void Mutator::ReadDonor() {
  TakeApart(unread_donor_, donor_);
  AttachData(donor_);
  unread_donor_ = {};
}

void Mutator::Edit(MutationContext& context, std::size_t most) {
  Normalise(draft_, arena_);
  PeekAtDonor();
  if (donor_.encoding != Encoding{}) {
    ReadDonor();  // not all of its records may have a counterpart
    Normalise(donor_, arena_);
  }
  Stack(context, most);
}

// Stack applies some edits, one on top of another. Where there is a donor, one of them often
// borrows from it.
void Mutator::Stack(MutationContext& context, std::size_t most) {
  std::size_t count = std::min(Stacked(context.random), most);
  const bool borrow = !donor_.entries.empty() || !donor_.tensors.empty();
  if (borrow && context.random.OneIn(2) && ApplyOneOf(context, borrows_)) --count;
  for (; count > 0; --count) ApplyOneOf(context, edits_);
}

bool Mutator::ApplyOneOf(MutationContext& context, std::span<const Mutation* const> mutations) {
  for (std::size_t i = 0; i < kTries; ++i) {
    if (Apply(context, *context.random.Pick(mutations))) return true;
  }
  return false;
}

bool Mutator::Apply(MutationContext& context, const Mutation& mutation) {
  if (!unread_donor_.empty() && Borrows(mutation)) ReadDonor();
  if (!mutation.apply(context)) return false;
  applied_.Add(&mutation);
  return true;
}

}  // namespace ggufgate::mutate

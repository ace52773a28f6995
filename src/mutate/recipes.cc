#include "mutate/recipes.h"

#include <algorithm>
#include <bit>

#include "mutate/edits/disorder.h"
#include "mutate/edits/havoc.h"
#include "mutate/generate/generate.h"
#include "mutate/models/running_model.h"
#include "mutate/reduce/reduce.h"
#include "mutate/repair/repair.h"
#include "mutate/workpiece.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kReduceTries = 16;  // reductions tried until one applies
constexpr std::size_t kRunningTries = 8;  // models made until one has room and all shapes

// Stacked returns 1 in half of all cases, 2 in a quarter, and so on.
std::size_t Stacked(Random& random) {
  const std::uint64_t bits = random.Next() | std::uint64_t{1} << (kMostStacked - 1);
  return static_cast<std::size_t>(std::countr_zero(bits)) + 1;
}

template <typename Wanted>
std::vector<const Mutation*> Those(Chosen chosen, Wanted wanted) {
  std::vector<const Mutation*> some;
  for (const Mutation& mutation : AllMutations()) {
    if ((chosen == nullptr || chosen(mutation.slug)) && wanted(mutation)) some.push_back(&mutation);
  }
  return some;
}

std::vector<const Mutation*> OfKind(Chosen chosen, MutationKind kind) {
  return Those(chosen, [kind](const Mutation& mutation) { return mutation.kind == kind; });
}

bool Raw(Bytes input, MutationContext& context) {
  context.Take(input);
  Havoc(context);
  return true;
}

bool Reduced(Bytes input, MutationContext& context) {
  const std::size_t count = CountReductions(context.draft);
  for (std::size_t i = 0; i < kReduceTries; ++i) {
    // The first reductions remove the most.
    const std::size_t among = context.random.OneIn(2) ? std::min<std::size_t>(count, 32) : count;
    const auto size =
        Reduce(input, context.random.Below(among), context.draft, context.arena, context.all());
    if (!size) continue;
    context.Resize(*size);
    return true;
  }
  return false;
}

}  // namespace

Recipes::Recipes(Chosen chosen)
    : edits_(OfKind(chosen, MutationKind::kEdit)),
      benign_(OfKind(chosen, MutationKind::kBenign)),
      models_(OfKind(chosen, MutationKind::kModel)),
      borrows_(Those(chosen, Borrows)),
      lies_(OfKind(chosen, MutationKind::kLie)) {
  std::ranges::sort(lies_, [](const Mutation* a, const Mutation* b) {
    return a->data != b->data ? a->data < b->data : a->slug < b->slug;
  });
}

std::span<const Mutation* const> Recipes::LiesThatShow(DataNeeded data) const {
  const auto hidden = std::ranges::upper_bound(lies_, data, {}, &Mutation::data);
  return std::span(lies_).first(static_cast<std::size_t>(hidden - lies_.begin()));
}

bool Recipes::Follow(Mode mode, const Request& request, Random& random, Workpiece& piece) const {
  // Raw mutants need only bytes, and generated ones need no input.
  const bool from_records = mode != Mode::kGenerate && mode != Mode::kRaw;
  piece.Begin(request, from_records ? request.input : Bytes(), random);
  if (mode == Mode::kRaw) return Raw(request.input, piece.context());
  if (mode == Mode::kReduce) return Reduced(request.input, piece.context());
  if (request.max_size < kHeaderBytes) return false;
  switch (mode) {
    case Mode::kConsistent:
      return Running(request, piece) || Sound(/*from_nothing=*/false, piece);
    case Mode::kGenerate:
      return Sound(/*from_nothing=*/true, piece);
    case Mode::kOneLie:
      return OneLie(request.data, piece);
    case Mode::kSemi:
      return Semi(piece);
    default:
      return false;
  }
}

bool Recipes::Sound(bool from_nothing, Workpiece& piece) const {
  MutationContext& context = piece.context();
  const bool empty = context.draft.entries.empty() && context.draft.tensors.empty();
  from_nothing = from_nothing || (empty && !context.random.OneIn(4));
  if (from_nothing) Generate(context);
  if (!from_nothing || context.random.OneIn(8)) Edit(piece, kMostStacked);
  Repair(context, Alignments::kAll);
  if (!context.Write()) return false;
  if (context.random.OneIn(16)) piece.ApplyOneOf(benign_);
  return true;
}

// Running turns a model into a tiny one of the same architecture, with changes that keep it
// running. It always does so if sound files are asked for. In a mixture it does so half of the
// time, since files that only parse reach other parts.
bool Recipes::Running(const Request& request, Workpiece& piece) const {
  MutationContext& context = piece.context();
  if (context.room() < RunningModel::kLeastRoom) return false;
  const Contract* const contract = RunningModel::ContractOf(context.draft);
  if (contract == nullptr) return false;
  if (request.mode != Mode::kConsistent && context.random.OneIn(2)) return false;
  bool made = false;
  for (std::size_t tries = 0; tries < kRunningTries && !made; ++tries) {
    piece.StartOver();
    RunningModel model(context, *contract, vocabularies_);
    context.running = &model;
    made = model.Begin();
    for (std::size_t i = Stacked(context.random); made && i > 0; --i) piece.ApplyOneOf(models_);
    made = made && model.Finish();
    context.running = nullptr;
  }
  if (made) {
    LayOut(context.draft);
    if (context.Write()) return true;
  }
  piece.Begin(request, request.input, context.random);
  return false;
}

bool Recipes::OneLie(DataNeeded data, Workpiece& piece) const {
  MutationContext& context = piece.context();
  if (context.random.OneIn(4)) Edit(piece, 1);
  Repair(context);
  context.lie_at.reset();
  return piece.ApplyOneOf(LiesThatShow(data)) && context.Write();
}

// Semi leaves faults: unrepaired edits, a lie, and the changes of Disorder. Only a repaired draft
// gets a lie, and one at most: a lie needs everything else to be sound.
bool Recipes::Semi(Workpiece& piece) const {
  MutationContext& context = piece.context();
  Random& random = context.random;
  if (random.OneIn(4)) return SemiAsItStands(piece);
  Edit(piece, 4);
  if (random.OneIn(2)) {
    Repair(context);
    if (random.OneIn(2)) piece.ApplyOneOf(lies_);
  } else {
    if (context.draft.alignment == 0) context.draft.alignment = kDefaultAlignment;
    FitInto(context);
    if (random.OneIn(2)) LayOut(context.draft);
  }
  if (!context.written() && random.OneIn(4)) TurnEncoding(context);
  if (!context.Write()) return false;
  for (std::size_t i = Stacked(random); i > 0; --i) (void)Disorder(context);
  if (random.OneIn(4)) Havoc(context);
  return true;
}

// SemiAsItStands keeps the opaque bytes of the input, its byte order and its counts.
bool Recipes::SemiAsItStands(Workpiece& piece) const {
  MutationContext& context = piece.context();
  Draft& draft = context.draft;
  if (!draft.has_counts) return false;
  piece.PeekAtDonor();
  Stack(piece, 4);
  AdoptNew(draft);
  if (context.random.OneIn(2)) ClaimCounts(context);
  const std::uint64_t boundary = draft.tail_begin;
  if (!draft.has_counts || !context.WriteAsIs()) return false;
  if (context.random.OneIn(4)) (void)context.Cut(boundary + context.random.Below(3) - 1);
  if (context.random.OneIn(4)) Havoc(context);
  return true;
}

void Recipes::Edit(Workpiece& piece, std::size_t most) const {
  piece.NormaliseRecords();
  Stack(piece, most);
}

// Stack applies some edits, one on top of another. With a donor, one of them often borrows from it.
void Recipes::Stack(Workpiece& piece, std::size_t most) const {
  Random& random = piece.context().random;
  std::size_t count = std::min(Stacked(random), most);
  if (piece.HasDonor() && random.OneIn(2) && piece.ApplyOneOf(borrows_)) --count;
  for (; count > 0; --count) piece.ApplyOneOf(edits_);
}

bool ForceChange(const Request& request, Mode wanted, Random& random, Workpiece& piece) {
  piece.Begin(request, {}, random);
  MutationContext& context = piece.context();
  context.Take(request.input);
  const std::size_t size = context.bytes().size();
  const bool reduce = wanted == Mode::kReduce && size > 0;
  if (reduce && size == request.input.size()) {
    context.Resize(size - 1);
  } else if (size > 0) {
    context.all()[random.Below(size)] ^= static_cast<std::uint8_t>(random.Between(1, 255));
  } else if (request.max_size > 0) {
    context.all().front() = static_cast<std::uint8_t>(random.Next());
    context.Resize(1);
  }
  return reduce;
}

}  // namespace ggufgate::mutate

#include "mutate/workpiece.h"

#include <algorithm>

#include "mutate/file/attach.h"
#include "mutate/file/normalise.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kTries = 16;  // mutations tried until one applies

// ArenaBytes is the size of the arena for files of this size.
constexpr std::size_t ArenaBytes(std::size_t bytes) { return 6 * bytes + (std::size_t{64} << 10); }

}  // namespace

bool Borrows(const Mutation& mutation) {
  return mutation.family == MutationFamily::kStructure &&
         mutation.slug.starts_with("structure-borrow");
}

Workpiece::Workpiece(std::size_t most_bytes, Chosen chosen)
    : chosen_(chosen),
      arena_(ArenaBytes(most_bytes)),
      seen_(Draft::kMostEntries),
      out_(most_bytes),
      applied_(2 * kMostStacked) {}

void Workpiece::Begin(const Request& request, Bytes records, Random& random) {
  // The room depends on the request, not on this mutator: equal requests give equal mutants.
  arena_room_ =
      ArenaBytes(std::max({request.max_size, request.input.size(), request.donor.size()}));
  StartOver();
  context_.emplace(draft_, donor_, arena_, placement_, seen_,
                   MutableBytes(out_).first(request.max_size), random, request.leaf);
  context_->chosen = chosen_;
  TakeApart(records, draft_);
  AttachData(draft_);
  donor_.Clear();
  unread_donor_ = request.donor;
}

void Workpiece::StartOver() {
  arena_.Reset(arena_room_);
  applied_.Clear();
}

void Workpiece::PeekAtDonor() {
  if (!unread_donor_.empty()) TakeApart(unread_donor_, donor_, /*most_records=*/1);
}

bool Workpiece::HasDonor() const { return !donor_.entries.empty() || !donor_.tensors.empty(); }

void Workpiece::ReadDonor() {
  TakeApart(unread_donor_, donor_);
  AttachData(donor_);
  unread_donor_ = {};
}

void Workpiece::NormaliseRecords() {
  Normalise(draft_, arena_);
  PeekAtDonor();
  if (donor_.encoding == Encoding{}) return;
  ReadDonor();  // not all of its records may have a counterpart
  Normalise(donor_, arena_);
}

bool Workpiece::ApplyOneOf(std::span<const Mutation* const> mutations) {
  for (std::size_t i = 0; i < kTries; ++i) {
    const Mutation& mutation = *context_->random.Pick(mutations);
    if (!unread_donor_.empty() && Borrows(mutation)) ReadDonor();
    if (!mutation.apply(*context_)) continue;
    applied_.Add(&mutation);
    return true;
  }
  return false;
}

}  // namespace ggufgate::mutate

#include "gate/steps/judging.h"

#include <algorithm>
#include <utility>

#include "check/data_scan.h"
#include "gate/steps/judgement.h"
#include "parse/extent.h"

namespace ggufgate {
namespace {

// Maximum size of a missing range of the rules.
constexpr std::uint64_t kMostMissing = std::uint64_t{1} << 20;

}  // namespace

Judging::Judging(std::uint64_t size, Policy policy)
    : policy_(std::move(policy)),
      judgement_(std::make_unique<Judgement>(size, policy_, kModuleGrowth)),
      source_(size) {
  verdict_.identity.size = size;
  verdict_.data = policy_.data;
}

Judging::~Judging() = default;

const Document& Judging::document() const { return judgement_->document(); }

MutableBytes Judging::room() {
  if (judgement_->wants() == Judgement::Wants::kFront) {
    return MutableBytes(front_).subspan(wanted_.begin);
  }
  return MutableBytes(piece_).first(wanted_.size);
}

Judging::State Judging::Want(ByteRange range) {
  wanted_ = range;
  if (judgement_->wants() == Judgement::Wants::kFront) {
    front_.resize(range.End());
  } else if (piece_.size() < range.size) {
    piece_.resize(range.size);
  }
  return State::kWants;
}

Judging::State Judging::Undecided(std::string_view why) {
  TakeBack(why);
  return State::kUndecided;
}

void Judging::TakeBack(std::string_view why) {
  ended_ = true;
  verdict_.verdict = Verdict::kUndecided;
  problem_ = why;
}

Judging::State Judging::Step() {
  if (ended_) return problem_.empty() ? State::kDone : State::kUndecided;
  switch (judgement_->wants()) {
    case Judgement::Wants::kFront:
      return FeedFront();
    case Judgement::Wants::kData:
      return FeedData();
    case Judgement::Wants::kRules:
    case Judgement::Wants::kNothing:  // the rules ran, but lacked pages
      break;
  }
  return FeedRules();
}

Judging::State Judging::FeedFront() {
  const std::uint64_t held = front_.size();
  if (held < judgement_->front().wanted() || !judgement_->GiveFront(front_, source_.size())) {
    return Want(ByteRange::Between(held, judgement_->front().wanted()));
  }
  source_.SetFront(front_);
  verdict_.summary = Summarise(document());
  scan_ = std::make_unique<DataScanSteps>(document(), ExtentsOf(document()), policy_);
  wanted_ = {};
  return FeedData();
}

Judging::State Judging::FeedData() {
  if (wanted_.size > 0) scan_->Give(room());
  if (const std::optional<ByteRange> next = scan_->Wanted()) return Want(*next);
  judgement_->GiveData(scan_->Take());
  scan_.reset();
  return FeedRules();
}

// The rules read the end of nearly every file, and run again if they lacked a page. So the end is
// read before they run.
std::optional<ByteRange> Judging::EndOfFile() const {
  const std::uint64_t size = source_.size();
  const std::uint64_t last = size / HeldSource::kPageBytes;
  const std::uint64_t begin = (last - std::min<std::uint64_t>(last, 1)) * HeldSource::kPageBytes;
  if (begin < front_.size() || begin == size) return std::nullopt;
  return ByteRange::Between(begin, size);
}

Judging::State Judging::FeedRules() {
  if (const auto end = EndOfFile(); end && !std::exchange(has_end_, true)) {
    missing_ = {*end};
    return Want(*end);
  }
  if (!missing_.empty()) {
    if (!source_.Keep(wanted_.begin, room())) {
      return Undecided("more bytes after the metadata must be read than memory allows");
    }
    missing_.pop_back();
  }
  if (!missing_.empty()) return Want(missing_.back());
  const ReadOutcome io = judgement_->RunRules(source_, verdict_);
  missing_ = source_.TakeMissing(kMostMissing);
  std::ranges::reverse(missing_);
  if (missing_.empty() && io.complete()) {
    ended_ = true;
    piece_ = {};
    return State::kDone;
  }
  // The rules read zeros for missing bytes, so their findings do not count.
  verdict_.findings = {};
  verdict_.verdict = Verdict::kUndecided;
  return missing_.empty() ? Undecided(kBecameShorter) : Want(missing_.back());
}

}  // namespace ggufgate

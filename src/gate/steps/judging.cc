#include "gate/steps/judging.h"

#include <algorithm>
#include <utility>

#include "check/check.h"
#include "check/verdict.h"

namespace ggufgate {
namespace {

// Most bytes of a range that the rules lack.
constexpr std::uint64_t kMostMissing = std::uint64_t{1} << 20;

}  // namespace

Judging::Judging(std::uint64_t size, Policy policy)
    : policy_(std::move(policy)), steps_(size, policy_.limits, kModuleGrowth), source_(size) {
  verdict_.identity.size = size;
  verdict_.data = policy_.data;
}

MutableBytes Judging::room() {
  if (phase_ == Phase::kFront) return MutableBytes(front_).subspan(wanted_.begin);
  return MutableBytes(piece_).first(wanted_.size);
}

Judging::State Judging::Want(ByteRange range) {
  wanted_ = range;
  if (phase_ == Phase::kFront) {
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
  phase_ = Phase::kDone;
  verdict_.verdict = Verdict::kUndecided;
  problem_ = why;
}

Judging::State Judging::Step() {
  switch (phase_) {
    case Phase::kFront:
      return ReadFront();
    case Phase::kData:
      return ReadData();
    case Phase::kRules:
      return RunRules();
    case Phase::kDone:
      break;
  }
  return problem_.empty() ? State::kDone : State::kUndecided;
}

Judging::State Judging::ReadFront() {
  if (front_.size() < steps_.wanted()) {
    return Want(ByteRange::Between(front_.size(), steps_.wanted()));
  }
  std::optional<Document> document = steps_.Give(front_, source_.size());
  if (!document) return Want(ByteRange::Between(front_.size(), steps_.wanted()));
  document_ = *std::move(document);
  source_.SetFront(front_);
  verdict_.summary = Summarise(document_);
  scan_ = std::make_unique<DataScanSteps>(document_, ExtentsOf(document_), policy_);
  phase_ = Phase::kData;
  wanted_ = {};
  return ReadData();
}

Judging::State Judging::ReadData() {
  if (wanted_.size > 0) scan_->Give(room());
  if (const std::optional<ByteRange> next = scan_->Wanted()) return Want(*next);
  scanned_ = scan_->Take();
  scan_.reset();
  phase_ = Phase::kRules;
  return RunRules();
}

// The rules look at the end of nearly every file, and run again if they lacked a page. So the end
// comes before they run.
std::optional<ByteRange> Judging::EndOfFile() const {
  const std::uint64_t size = source_.size();
  const std::uint64_t last = size / HeldSource::kPageBytes;
  const std::uint64_t begin = (last - std::min<std::uint64_t>(last, 1)) * HeldSource::kPageBytes;
  if (begin < front_.size() || begin == size) return std::nullopt;
  return ByteRange::Between(begin, size);
}

Judging::State Judging::RunRules() {
  if (const auto end = EndOfFile(); end && !std::exchange(has_end_, true)) {
    missing_ = {*end};
    return Want(*end);
  }
  if (!missing_.empty()) {
    if (!source_.Keep(wanted_.begin, room())) {
      return Undecided("more must be read behind the metadata than is kept in memory");
    }
    missing_.pop_back();
  }
  if (missing_.empty()) {
    CheckResult checked = CheckScanned(document_, source_, policy_, scanned_);
    missing_ = source_.TakeMissing(kMostMissing);
    std::ranges::reverse(missing_);
    if (missing_.empty()) {
      if (!checked.io.complete()) return Undecided(kBecameShorter);
      verdict_.findings = std::move(checked.findings);
      verdict_.verdict = VerdictOf(verdict_.findings, policy_);
      phase_ = Phase::kDone;
      piece_ = {};
      return State::kDone;
    }
  }
  return Want(missing_.back());
}

}  // namespace ggufgate

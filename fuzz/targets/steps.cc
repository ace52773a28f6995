// steps: a check in steps gives the same result as a check of a file that is read. If answers
// contradict each other or are too short, it never crashes, requests only ranges in the file, and
// terminates.

#include <algorithm>

#include "fuzz/support/target.h"
#include "gate/steps/judging.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;
using fuzz::Require;
using State = Judging::State;

// Answering selects the answers to the requested ranges.
enum class Answering : std::uint8_t { kTrue, kOther, kShort };

// Run returns the last state. With kOther one bit of every fourth answer is wrong; with kShort the
// answer of that number is too short.
State Run(Judging& judging, Bytes file, Answering answering, std::uint64_t draw) {
  const std::uint64_t most =
      64 + file.size() / 16;  // steps: each step gets one page or one piece of data
  State state = judging.Step();
  for (std::uint64_t step = 0; state == State::kWants; ++step) {
    Require(step < most, "an end comes");
    const ByteRange wanted = judging.wanted();
    Require(wanted.size > 0 && wanted.FitsIn(file.size()), "what is wanted is in the file");
    const MutableBytes room = judging.room();
    Require(room.size() == wanted.size, "there is room for what is wanted");
    std::ranges::copy(file.subspan(wanted.begin, wanted.size), room.begin());
    if (answering == Answering::kShort && step == draw % 4) return judging.FellShort();
    if (answering == Answering::kOther && (draw + step) % 4 == 0) {
      room[draw / 4 % room.size()] ^= static_cast<std::uint8_t>(1U << (draw % 8));
    }
    state = judging.Step();
  }
  return state;
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const std::uint64_t draw = fuzz::DrawOf(input);
  Policy policy = PolicyFor(kAllProfiles.at(draw % kAllProfiles.size()));
  policy.data = static_cast<DataScan>(draw / 8 % kDataScanWords.size());

  Judging judging(input.size(), policy);
  Require(Run(judging, input, Answering::kTrue, draw) == State::kDone,
          "a file that is there is judged");
  const fuzz::Judgement read = fuzz::Judge(input, policy);
  fuzz::RequireSame({.findings = judging.verdict().findings}, read.checked);
  Require(judging.verdict().verdict == VerdictOf(read.checked.findings, policy),
          "the verdicts are one");

  Judging other(input.size(), policy);
  const State state = Run(other, input, Answering::kOther, draw);
  Require((state == State::kDone) == (other.verdict().verdict != Verdict::kUndecided),
          "a verdict comes at the end");

  Judging cut(input.size(), policy);
  if (Run(cut, input, Answering::kShort, draw) == State::kUndecided) {
    Require(cut.Step() == State::kUndecided, "what fell short stays undecided");
    Require(cut.verdict().verdict == Verdict::kUndecided, "what fell short is not accepted");
  }
}

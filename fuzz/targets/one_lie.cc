// one_lie (oracle B): a lie in any file is rejected, by the rule that it breaks.

#include "fuzz/support/target.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"
#include "tests/oracles/verdict.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  const mutate::Mutant mutant = fuzz::TheMutator().Make({.input = input,
                                                         .mode = mutate::Mode::kOneLie,
                                                         .seed = fuzz::DrawOf(input),
                                                         .data = mutate::DataNeeded::kFull});
  if (mutant.expect != mutate::Expectation::kReject) return;
  Policy policy;
  policy.data = DataScan::kFull;
  const fuzz::GuardedCopy copy(mutant.bytes);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  const bool named = judged.Rejected() && fuzz::Names(judged.checked.findings, mutant.rules);
  if (!named) fuzz::Tell(mutant, judged.checked.findings);
  fuzz::Require(judged.Rejected(), "a lie is rejected");
  fuzz::Require(named, "a lie is rejected by the rule it breaks");
}

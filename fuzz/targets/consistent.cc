// consistent (oracle A): what the mutator calls sound, made of any bytes, the gate accepts.

#include "fuzz/support/judge.h"
#include "fuzz/support/mutants.h"
#include "fuzz/support/target.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  const mutate::Mutant mutant = fuzz::TheMutator().Make(
      {.input = input, .mode = mutate::Mode::kConsistent, .seed = fuzz::SeedOf(input)});
  if (mutant.expect != mutate::Expectation::kAccept) return;
  Policy policy;
  policy.data = DataScan::kFull;
  const fuzz::GuardedCopy copy(mutant.bytes);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  if (judged.Rejected()) fuzz::Tell(mutant, judged.checked.findings);
  fuzz::Require(!judged.Rejected(), "a consistent mutant is accepted");
  fuzz::RequireSound(judged, copy.bytes(), policy);
}

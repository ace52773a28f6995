// generate: the input is nothing but a seed, of which a file is made; the gate accepts it, and it
// survives being taken apart and written again. For engines without the custom mutator.

#include "fuzz/support/judge.h"
#include "fuzz/support/mutants.h"
#include "fuzz/support/target.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  // What stands before the last eight bytes is taken for a file, so that an engine that keeps some
  // of the input can change a file step by step.
  const Bytes file = input.first(input.size() - std::min<std::size_t>(input.size(), 8));
  const mutate::Mutant mutant = fuzz::TheMutator().Make(
      {.input = file, .mode = mutate::Mode::kGenerate, .seed = fuzz::SeedOf(input)});
  if (mutant.expect != mutate::Expectation::kAccept) return;
  Policy policy;
  policy.data = DataScan::kFull;
  const fuzz::GuardedCopy copy(mutant.bytes);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  if (judged.Rejected()) fuzz::Tell(mutant, judged.checked.findings);
  fuzz::Require(!judged.Rejected(), "a generated file is accepted");
  fuzz::RequireSound(judged, copy.bytes(), policy);
}

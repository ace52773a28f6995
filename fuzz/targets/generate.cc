// generate: the input is nothing but a seed, of which a file is made, and the gate accepts it. For
// engines without the custom mutator.

#include "fuzz/support/target.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  // The last eight bytes are the seed; what stands before them is of no account, so that an engine
  // need not keep it.
  fuzz::RequireAccepted(fuzz::TheMutator().Make(
      {.input = {}, .mode = mutate::Mode::kGenerate, .seed = fuzz::SeedOf(input)}));
}

// generate: the input is only a seed, from which a file is made, and the gate accepts that file.
// For engines without the custom mutator.

#include "fuzz/support/target.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  // The last eight bytes are the seed. The bytes before have no effect, so an engine need not keep
  // them.
  fuzz::RequireAccepted(fuzz::TheMutator().Make(
      {.input = {}, .mode = mutate::Mode::kGenerate, .seed = fuzz::SeedOf(input)}));
}

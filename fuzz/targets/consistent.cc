// consistent (oracle A): the gate accepts files, made from any bytes, that the mutator calls valid.

#include "fuzz/support/target.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  fuzz::RequireAccepted(fuzz::TheMutator().Make(
      {.input = input, .mode = mutate::Mode::kConsistent, .seed = fuzz::DrawOf(input)}));
}

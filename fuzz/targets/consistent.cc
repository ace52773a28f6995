// consistent (oracle A): what the mutator calls sound, made of any bytes, the gate accepts.

#include "fuzz/support/target.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/mutants.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  fuzz::RequireAccepted(fuzz::TheMutator().Make(
      {.input = input, .mode = mutate::Mode::kConsistent, .seed = fuzz::DrawOf(input)}));
}

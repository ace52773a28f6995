/* make-mutant: a sound file made from a seed alone, by a program that is written in C. */

#include <stdio.h>
#include <string.h>

#include "ggufgate/mutator.h"

int main(void) {
  ggufgate_mutator* const mutator = ggufgate_mutator_create(1 << 16);
  ggufgate_request request;
  ggufgate_mutant mutant;
  int right = 0;
  memset(&request, 0, sizeof request);
  request.mode = GGUFGATE_MODE_GENERATE;
  request.max_size = 1 << 16;
  request.seed = 1;
  if (mutator != NULL && ggufgate_mutator_mutate(mutator, &request, &mutant) == GGUFGATE_OK) {
    right = mutant.size > 4 && memcmp(mutant.bytes, "GGUF", 4) == 0 &&
            mutant.expect == GGUFGATE_EXPECT_ACCEPT;
  }
  ggufgate_mutator_destroy(mutator);
  puts(right ? "made a file" : "no file was made");
  return right ? 0 : 1;
}

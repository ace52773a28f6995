/* The header as C reads it, and the interface as C uses it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ggufgate/mutator.h"
#include "tests/engines/c_api_c11.h"

_Static_assert(sizeof(((ggufgate_mutant *)0)->mutations) == 16 * sizeof(char *), "names");

static int made_twice_alike(ggufgate_mutator *mutator, const ggufgate_request *request) {
  ggufgate_mutant first, second;
  if (ggufgate_mutator_mutate(mutator, request, &first) != GGUFGATE_OK) return 0;
  uint8_t *kept = malloc(first.size + 1);
  memcpy(kept, first.bytes, first.size);
  const size_t size = first.size;
  const int done = ggufgate_mutator_mutate(mutator, request, &second) == GGUFGATE_OK;
  const int alike = done && second.size == size && memcmp(kept, second.bytes, size) == 0;
  free(kept);
  return alike;
}

int ggufgate_test_from_c(void) {
  ggufgate_mutator *mutator = ggufgate_mutator_create(4096);
  if (mutator == NULL) return 1;
  int wrong = 0;
  for (uint64_t seed = 0; seed < 200 && wrong == 0; ++seed) {
    const uint8_t input[4] = {'G', 'G', 'U', 'F'};
    const ggufgate_request request = {
        .input = input, .input_size = 4, .mode = GGUFGATE_MODE_ONE_LIE, .seed = seed,
        .max_size = 4096};
    ggufgate_mutant mutant;
    char words[200];
    if (ggufgate_mutator_mutate(mutator, &request, &mutant) != GGUFGATE_OK) wrong = 2;
    else if (mutant.size > 4096 || mutant.mutation_count == 0) wrong = 3;
    else if (mutant.expect != GGUFGATE_EXPECT_REJECT || mutant.rules[0] == '\0') wrong = 4;
    else if (ggufgate_mutator_describe(mutator, words, sizeof(words)) != strlen(words)) wrong = 5;
    else if (strncmp(words, "one-lie:", 8) != 0) wrong = 6;
    else if (strstr(words, mutant.mutations[0]) == NULL) wrong = 7;
    else if (!made_twice_alike(mutator, &request)) wrong = 8;
  }
  ggufgate_mutator_destroy(mutator);
  return wrong;
}

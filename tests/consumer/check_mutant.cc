// both: the two libraries in one program. The gate must report what the mutator predicts about its
// mutants.

#include <cstddef>
#include <cstdio>
#include <span>

#include "ggufgate/gate.h"
#include "ggufgate/mutator.h"

namespace {

bool Agree(ggufgate_mutator* mutator, int mode, std::uint64_t seed) {
  ggufgate_request request{};
  request.mode = mode;
  request.max_size = 1 << 16;
  request.seed = seed;
  ggufgate_mutant mutant{};
  if (ggufgate_mutator_mutate(mutator, &request, &mutant) != GGUFGATE_OK) return false;
  const auto verdict =
      ggufgate::gate::CheckMemory(std::as_bytes(std::span(mutant.bytes, mutant.size))).verdict;
  return mutant.expect == GGUFGATE_EXPECT_ANY ||
         (verdict == ggufgate::gate::Verdict::kAccept) == (mutant.expect == GGUFGATE_EXPECT_ACCEPT);
}

}  // namespace

int main() {
  ggufgate_mutator* const mutator = ggufgate_mutator_create(1 << 16);
  bool right = mutator != nullptr;
  for (std::uint64_t seed = 0; right && seed < 100; ++seed) {
    right =
        Agree(mutator, GGUFGATE_MODE_GENERATE, seed) && Agree(mutator, GGUFGATE_MODE_ONE_LIE, seed);
  }
  ggufgate_mutator_destroy(mutator);
  std::puts(right ? "they agree" : "they do not agree");
  return right ? 0 : 1;
}

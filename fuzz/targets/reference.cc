// reference: llama.cpp loads all files that the gate accepts under its default profile and under
// that of llama.cpp, which loads no image models. It runs in a forked child, so that crashes are
// seen from outside. If its library is missing (scripts/fetch-reference), the target does nothing.

#include <cstdio>
#include <string>

#include "fuzz/external/llama_cpp.h"
#include "fuzz/support/target.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;

external::Harness* TheHarness() {
  const external::Loader& loader = external::LlamaCppLoaders().front();
  if (const std::string missing = loader.prepare(); !missing.empty()) {
    std::fprintf(stderr, "reference: %s\n", missing.c_str());
    return nullptr;
  }
  static external::Harness harness(loader, external::Bounds{});
  return &harness;
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  static external::Harness* const harness = TheHarness();
  const fuzz::GuardedCopy copy(input);
  if (harness == nullptr || fuzz::Judge(copy.bytes()).Rejected() ||
      fuzz::Judge(copy.bytes(), PolicyFor(Profile::kLlamaCpp)).Rejected()) {
    return;
  }
  const external::Answer answer = harness->Ask(external::File(input.begin(), input.end()));
  if (answer.outcome != external::Outcome::kLoads) {
    // Not llama.cpp's message, because that may contain text of the file.
    const std::string word(external::WordFor(answer.outcome));
    std::fprintf(stderr, "reference: llama.cpp %s\n", word.c_str());
  }
  fuzz::Require(answer.outcome == external::Outcome::kLoads,
                "what the gate accepts, llama.cpp loads");
}

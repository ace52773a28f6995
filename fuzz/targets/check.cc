// check: the whole gate on bytes in memory, under every profile.

#include <array>

#include "fuzz/support/target.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;

// The default profile occurs more often than the others. Five has no common factor with the sizes
// of most files, which are multiples of an alignment, so every profile occurs.
constexpr std::array kProfiles = {Profile::kGate, Profile::kLlamaCpp, Profile::kGate,
                                  Profile::kSpec, Profile::kDiffusion};

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  // One profile per input, for speed. The last byte of the input and the size select it, because
  // the last byte of most files is padding.
  const std::size_t choice = input.empty() ? 0 : (input.size() + input.back()) % kProfiles.size();
  const Policy policy = PolicyFor(kProfiles.at(choice));
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  fuzz::RequireSound(judged, copy.bytes(), policy);
}

// check: the whole gate on memory, under every profile.

#include <array>

#include "fuzz/support/target.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;

// The default more often than the others; a number that sizes, multiples of an alignment, leave
// none of out.
constexpr std::array kProfiles = {Profile::kGate, Profile::kLlamaCpp, Profile::kGate,
                                  Profile::kSpec, Profile::kDiffusion};

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  // One profile a time keeps it fast; which one, the last byte of the input says, and the size: the
  // last byte of most files is padding.
  const std::size_t choice = input.empty() ? 0 : (input.size() + input.back()) % kProfiles.size();
  const Policy policy = PolicyFor(kProfiles.at(choice));
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  fuzz::RequireSound(judged, copy.bytes(), policy);
}

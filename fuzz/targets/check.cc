// check: the whole gate on memory, under every profile.

#include <array>

#include "fuzz/support/judge.h"
#include "fuzz/support/target.h"

namespace {

using namespace ggufgate;

constexpr std::array kProfiles = {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec};

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  // One profile a time keeps it fast; which one, the last byte of the input says.
  const std::size_t choice = input.empty() ? 0 : input.back() % kProfiles.size();
  const Policy policy = PolicyFor(kProfiles.at(choice));
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  fuzz::RequireSound(judged, copy.bytes(), policy);
}

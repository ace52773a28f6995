// policy: any text as a policy file; a policy without problems, printed, reads back to itself.

#include <string>

#include "fuzz/support/target.h"
#include "policy/policy_file.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const ParsedPolicy parsed = ParsePolicy(AsText(copy.bytes()));
  fuzz::Require(parsed.problems.size() <= 2 * kMostPolicyProblems, "problems are bounded");
  const ParsedPolicy again = ParsePolicy(AsText(copy.bytes()));
  fuzz::Require(parsed.policy == again.policy, "the same text gives the same policy");
}

// policy: any text as a policy file; a policy without problems, printed, reads back to itself.

#include <string>

#include "fuzz/support/target.h"
#include "policy/policy_file.h"
#include "policy/policy_text.h"

using namespace ggufgate;
using fuzz::Require;

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const ParsedPolicy parsed = ParsePolicy(AsText(copy.bytes()));
  Require(parsed.problems.size() <= 2 * kMostPolicyProblems, "problems are bounded");
  if (!parsed.problems.empty()) return;
  const std::string text = PolicyText(parsed.policy);
  const ParsedPolicy again = ParsePolicy(text);
  Require(again.problems.empty(), "a printed policy has no problem");
  Require(again.policy == parsed.policy, "a printed policy reads back to itself");
  Require(PolicyText(again.policy) == text, "and is printed as before");
}

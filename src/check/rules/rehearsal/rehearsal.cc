// The rule about a policy that requires rehearsals.

#include "check/rules/rule_functions.h"

namespace ggufgate {

void CheckRehearsalMissing(const Context& context, Sink& sink) {
  const Policy& policy = context.policy;
  if (policy.rehearsal != RehearsalNeed::kRequired || policy.rehearsal_follows) return;
  sink.Add({.where = {}, .wording = RehearsalMissingWording::kOnly});
}

}  // namespace ggufgate

#include "check/verdict.h"

#include "check/finding.h"
#include "check/policy.h"
#include "check/rule.h"

namespace ggufgate {

bool Rejects(Severity severity, const Policy& policy) { return severity >= policy.fail_on; }

bool Rejects(RuleId rule, const Policy& policy) {
  return Rejects(RuleOf(rule).SeverityIn(policy), policy);
}

Verdict VerdictOf(const Findings& findings, const Policy& policy) {
  return Rejects(findings.Worst(), policy) ? Verdict::kReject : Verdict::kAccept;
}

}  // namespace ggufgate

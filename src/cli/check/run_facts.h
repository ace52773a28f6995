#pragma once

#include "absl/status/statusor.h"
#include "check/policy.h"
#include "report/reporter.h"

namespace ggufgate {

// FactsBefore asks the system for what can be asked only before a process is confined: all but the
// digest of the policy. The time is that of SOURCE_DATE_EPOCH where it is set
// (reproducible-builds.org), so that two runs can write the same report.
// An error when the system does not say what confines.
[[nodiscard]] absl::StatusOr<RunFacts> FactsBefore();

// WithPolicy adds the digest of the policy in force.
[[nodiscard]] RunFacts WithPolicy(RunFacts facts, const Policy& policy);

}  // namespace ggufgate

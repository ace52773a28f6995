#pragma once

#include "absl/status/statusor.h"
#include "check/policy.h"
#include "report/reporter.h"

namespace ggufgate {

// FactsBefore queries the facts that are not available to a confined process: all except the digest
// of the policy. If SOURCE_DATE_EPOCH is set (reproducible-builds.org), the time is its value, so
// that two runs can write the same report. It returns an error if the kernel does not tell how it
// can confine processes.
[[nodiscard]] absl::StatusOr<RunFacts> FactsBefore();

// WithPolicy adds the digest of the policy that is used.
[[nodiscard]] RunFacts WithPolicy(RunFacts facts, const Policy& policy);

}  // namespace ggufgate

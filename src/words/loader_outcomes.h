#pragma once

// The outcome of a file in each loader of a policy, as its findings tell.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"
#include "check/verdict.h"

namespace ggufgate {

enum class LoaderOutcome : std::uint8_t {
  kRuns,      // no rule found anything that stops it
  kRefuses,   // with an error, without harm
  kCrashes,   // or hangs, or corrupts memory
  kUnknown,   // its release has no contract for the architecture
  kRejected,  // by a rule that does not depend on the loader
  kUndecided,
};
inline constexpr std::array<std::string_view, 6> kLoaderOutcomeWords = {
    "runs", "refuses", "crashes", "unknown", "rejected", "undecided"};

[[nodiscard]] constexpr std::string_view WordFor(LoaderOutcome outcome) {
  return kLoaderOutcomeWords.at(static_cast<std::size_t>(outcome));
}

struct OutcomeInLoader {
  std::string_view release;  // of the policy
  LoaderOutcome outcome = LoaderOutcome::kUndecided;
  const Finding* reason = nullptr;  // of the findings; nullptr if it runs or is undecided
};

// OutcomesIn returns an element for each loader of the policy, in its order. Without loaders it is
// one for the newest release that is compiled in. Suppressed findings and notes do not count.
// Policy and findings must outlive the result.
[[nodiscard]] std::vector<OutcomeInLoader> OutcomesIn(const Findings& findings, Verdict verdict,
                                                      const Policy& policy);

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <string_view>

#include "check/severity.h"

namespace ggufgate {

enum class RuleId : std::uint16_t;
struct Findings;
struct Policy;

// Verdict is the result of a check. Load a file only after kAccept.
enum class Verdict : std::uint8_t {
  kAccept,     // no finding at or above the policy's threshold
  kReject,     // a fact about the bytes makes loading unsafe
  kUndecided,  // no answer: I/O error, no memory, or the file changed during the check
};

[[nodiscard]] constexpr std::string_view WordFor(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccept:
      return "accept";
    case Verdict::kReject:
      return "reject";
    case Verdict::kUndecided:
      return "undecided";
  }
  return "";
}

// Rejects returns whether a finding of this severity rejects, unless it is suppressed. No other
// code compares with the policy's threshold (tests/tree/verdicts.py).
[[nodiscard]] bool Rejects(Severity severity, const Policy& policy);

// Rejects returns whether a finding of this rule rejects, unless it is suppressed.
[[nodiscard]] bool Rejects(RuleId rule, const Policy& policy);

// VerdictOf returns kReject if any finding that is not suppressed rejects, otherwise
// kAccept. The caller, who read the bytes, decides about kUndecided.
[[nodiscard]] Verdict VerdictOf(const Findings& findings, const Policy& policy);

}  // namespace ggufgate

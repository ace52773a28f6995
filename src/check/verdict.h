#pragma once

#include <cstdint>
#include <string_view>

#include "check/severity.h"

namespace ggufgate {

enum class RuleId : std::uint16_t;
struct Findings;
struct Policy;

// Verdict answers the one question. Only kAccept means: load it.
enum class Verdict : std::uint8_t {
  kAccept,     // no finding at or above the policy's threshold
  kReject,     // a fact about the bytes speaks against loading
  kUndecided,  // the machine failed us: I/O, resources, a file that changed while it was read
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

// Rejects tells whether a finding of this severity rejects, if the policy does not suppress it.
// Nothing else compares with the policy's threshold (tests/tree/verdicts.py).
[[nodiscard]] bool Rejects(Severity severity, const Policy& policy);

// Rejects tells whether a finding of this rule rejects, if the policy does not suppress it.
[[nodiscard]] bool Rejects(RuleId rule, const Policy& policy);

// VerdictOf is kReject if one of the findings that the policy does not suppress rejects, else
// kAccept. kUndecided is the business of the caller, who read the bytes.
[[nodiscard]] Verdict VerdictOf(const Findings& findings, const Policy& policy);

}  // namespace ggufgate

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bytes/byte_range.h"
#include "check/finding.h"
#include "check/policy.h"
#include "check/rule.h"
#include "check/wording.h"

namespace ggufgate {

// Sink takes the findings of one rule.
class Sink {
 public:
  // Report is a finding without rule and severity, which the sink adds.
  struct Report {
    ByteRange where;
    Subject subject = {};
    Fact observed = {};
    Fact allowed = {};
    Fact other = {};
    std::optional<Wording> wording = {};  // of the rule; optional if it has only one
    Cause cause = {};
    std::vector<std::string> releases = {};  // see Finding; RunRules() sets those of other findings
    Severity at_most = Severity::kError;     // limits the severity of this finding
    // Raises it, unless the policy chooses one for the rule, or the profile has it off.
    Severity at_least = Severity::kOff;
  };

  Sink(const Rule& rule, const Policy& policy, Findings& findings)
      : Sink(rule, policy, policy.findings_per_rule, findings) {}
  // Keeps `most` findings of each severity, instead of findings_per_rule.
  Sink(const Rule& rule, const Policy& policy, std::size_t most, Findings& findings);

  // The rule's severity in this policy, for findings that are not lowered.
  [[nodiscard]] Severity severity() const { return severity_; }

  // Add aborts if the wording belongs to another rule, which is a bug. It keeps the first
  // findings_per_rule of each severity, and at least one. So notes cannot displace errors, and
  // Worst() takes all findings into account. Suppressed findings have separate limits and counts,
  // so that they do not displace findings that reject.
  void Add(Report report);

  // CountMore counts violations that are not listed. A suppression for the whole file covers them.
  // Suppressions of single records may cover only the listed ones. If they cover all listed ones,
  // CountMore lists `unlisted` for the rest, not suppressed.
  void CountMore(std::uint64_t breaches, Report unlisted);

 private:
  using Kept = std::array<std::size_t, kSeverityCount>;  // by Severity

  [[nodiscard]] std::uint8_t NumberOf(const std::optional<Wording>& wording) const;
  void Count(std::uint64_t breaches, const Suppression* suppression);
  void List(Report report, Severity severity, const Suppression* suppression);

  const Rule& rule_;
  Severity severity_;
  bool is_chosen_;  // by the policy, not by the profile
  std::size_t most_kept_;
  std::vector<const Suppression*> suppressions_;  // the policy's suppressions of this rule
  Findings& findings_;
  Kept kept_{};
  Kept kept_suppressed_{};
};

}  // namespace ggufgate

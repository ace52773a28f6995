#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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
  // What a rule reports; the sink adds rule and severity.
  struct Report {
    ByteRange where;
    Subject subject = {};
    Fact observed = {};
    Fact allowed = {};
    Fact other = {};
    std::optional<Wording> wording = {};  // one of the rule's; left out where it has only one
    Cause cause = {};
    Severity at_most = Severity::kError;  // lowers this finding below the rule's severity
  };

  Sink(const Rule& rule, const Policy& policy, Findings& findings);

  // The rule's, in this policy: of a finding that is not lowered.
  [[nodiscard]] Severity severity() const { return severity_; }

  // Add dies of a wording that is not the rule's: our own mistake. It keeps the first
  // findings_per_rule of each severity and at least one, so that no number of notes crowds out an
  // error and Worst() knows of all that was found. Suppressed findings are kept and counted apart,
  // so that they crowd out none that counts.
  void Add(Report report);

  // CountMore counts breaches that are known of but not listed. A suppression covers them when it
  // is for the whole file. One for some records may cover those that are listed and not these: when
  // it covers all that are, `unlisted` is listed for these, and is not suppressed.
  void CountMore(std::uint64_t breaches, Report unlisted);

 private:
  using Kept = std::array<std::size_t, kSeverityCount>;  // by Severity

  [[nodiscard]] std::uint8_t NumberOf(const std::optional<Wording>& wording) const;
  void Count(std::uint64_t breaches, const Suppression* suppression);
  void List(Report report, Severity severity, const Suppression* suppression);

  const Rule& rule_;
  Severity severity_;
  std::size_t most_kept_;
  std::vector<const Suppression*> suppressions_;  // of the policy, for this rule
  Findings& findings_;
  Kept kept_{};
  Kept kept_suppressed_{};
};

}  // namespace ggufgate

#pragma once

// The findings of several loaders about one file. Not for users of the library.

#include <cstddef>
#include <span>
#include <string_view>

#include "check/finding.h"

namespace ggufgate {

// NameRelease states in each finding of the rules that it concerns this release. The findings
// must be those of one loader.
void NameRelease(std::string_view release, std::span<const RuleId> rules, Findings& findings);

// LikeRelease is a rule with the same findings for a further release as for `release`.
struct LikeRelease {
  RuleId rule;
  std::string_view release;
};

// AddRelease states `release` in the findings of the rules in `like` that concern the release of
// the rule there. A rule occurs once.
void AddRelease(std::string_view release, std::span<const LikeRelease> like, Findings& findings);

// MergeFindings adds the findings of a further loader. Findings that differ only in their release
// become one, with both releases. A total counts the merged findings, plus the larger number of
// findings that are not listed, because those cannot be compared.
void MergeFindings(Findings more, Findings& findings);

// KeepFirst keeps, for each rule and severity, the first `most` findings and the first one of each
// release, and as many suppressed ones. The totals stay.
void KeepFirst(std::size_t most, Findings& findings);

}  // namespace ggufgate

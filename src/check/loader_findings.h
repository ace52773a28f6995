#pragma once

// The findings of several loaders about one file. Not for users of the library.

#include <string_view>
#include <vector>

#include "check/finding.h"

namespace ggufgate {

// NameRelease states in each finding of the rules in `of_loader` (by RuleId) that it concerns this
// release. The findings must be those of one loader.
void NameRelease(std::string_view release, const std::vector<bool>& of_loader, Findings& findings);

// MergeFindings adds the findings of a further loader. Findings that differ only in their release
// become one, with both releases. A total counts the merged findings, plus those that are not
// listed: of these it takes the larger number, because they cannot be compared.
void MergeFindings(Findings more, Findings& findings);

// KeepFirst keeps, for each rule and severity, the first `most` findings, and as many suppressed
// ones. The totals stay.
void KeepFirst(std::size_t most, Findings& findings);

}  // namespace ggufgate

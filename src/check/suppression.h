#pragma once

// Which findings a policy's suppressions cover.

#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"

namespace ggufgate {

// RecordPath names the record a finding speaks of as reports do (`tokenizer.ggml.tokens[431]`,
// `blk.0.attn_q.weight`, `metadata[17]` for a key without a name, `header`; empty for the file as a
// whole), but with the characters that the file has: reports escape them. "…" stands behind a name
// that was cut after Subject::kLongestText bytes.
[[nodiscard]] std::string RecordPath(const Subject& subject);

// PathMatches compares a record's path with the one of a suppression: the same text, or, when that
// ends with `*`, the same beginning.
[[nodiscard]] bool PathMatches(std::string_view wanted, std::string_view path);

// SuppressionsOf lists the suppressions for a rule that do not wait for a digest. They point into
// the policy.
[[nodiscard]] std::vector<const Suppression*> SuppressionsOf(const Policy& policy, RuleId rule);

// FirstCovering finds the first that covers a finding about `subject`; nullptr when none does.
[[nodiscard]] const Suppression* FirstCovering(const std::vector<const Suppression*>& suppressions,
                                               const Subject& subject);

// NeedsDigest tells whether one of the findings might be suppressed if the file's digest is one
// that the policy names.
[[nodiscard]] bool NeedsDigest(const Policy& policy, const Findings& findings);

// NamesAnyDigest tells whether any suppression is for one file only.
[[nodiscard]] bool NamesAnyDigest(const Policy& policy);

// NamesDigest tells whether a suppression names this SHA-256 (lower-case hexadecimal).
[[nodiscard]] bool NamesDigest(const Policy& policy, std::string_view sha256);

// ForDigest is the policy for a file of this SHA-256 (lower-case hexadecimal): suppressions that
// name it apply to the whole file, those that name another are left out.
[[nodiscard]] Policy ForDigest(Policy policy, std::string_view sha256);

}  // namespace ggufgate

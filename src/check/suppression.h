#pragma once

// Matches findings with a policy's suppressions.

#include <string>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/policy.h"

namespace ggufgate {

// RecordPath returns the path of a record as reports print it (`tokenizer.ggml.tokens[431]`,
// `blk.0.attn_q.weight`, `metadata[17]` for a key without a name, `header`; empty for the whole
// file). Its characters are those of the file, unescaped; reports escape them. "…" follows a name
// that was cut after Subject::kLongestText bytes.
[[nodiscard]] std::string RecordPath(const Subject& subject);

// PathMatches compares a record's path with the path of a suppression. They must be equal, or, if
// that ends with `*`, begin in the same way.
[[nodiscard]] bool PathMatches(std::string_view wanted, std::string_view path);

// SuppressionsOf returns the suppressions of a rule that need no digest. The pointers point into
// the policy.
[[nodiscard]] std::vector<const Suppression*> SuppressionsOf(const Policy& policy, RuleId rule);

// FirstCovering returns the first suppression that covers a finding about `subject`, or nullptr.
[[nodiscard]] const Suppression* FirstCovering(const std::vector<const Suppression*>& suppressions,
                                               const Subject& subject);

// NeedsDigest returns whether the policy suppresses one of the findings for certain digests of the
// file.
[[nodiscard]] bool NeedsDigest(const Policy& policy, const Findings& findings);

// NamesAnyDigest returns whether any suppression has a digest.
[[nodiscard]] bool NamesAnyDigest(const Policy& policy);

// NamesDigest returns whether a suppression has this SHA-256 (lower-case hexadecimal).
[[nodiscard]] bool NamesDigest(const Policy& policy, std::string_view sha256);

// ForDigest returns the policy for a file with this SHA-256 (lower-case hexadecimal). It keeps
// suppressions with this digest for the whole file, and removes those with another digest.
[[nodiscard]] Policy ForDigest(Policy policy, std::string_view sha256);

}  // namespace ggufgate

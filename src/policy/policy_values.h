#pragma once

// Single values of a policy file, and their errors. Internal to this module.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/policy.h"
#include "check/rule.h"
#include "format/limits.h"
#include "policy/policy_file.h"
#include "policy/toml.h"

namespace ggufgate::internal {

using Problems = std::vector<TextProblem>;

// kSeverityWords are the words of the severities, the most severe first. SeverityAt returns the
// severity of a word.
inline constexpr std::array<std::string_view, kSeverityCount> kSeverityWords = {"error", "warning",
                                                                                "note", "off"};
constexpr Severity SeverityAt(std::size_t index) {
  return static_cast<Severity>(kSeverityCount - 1 - index);
}

// IsFull tells whether there are enough problems to stop. A malicious file could have a hundred
// thousand, and each needs a search for a similar word.
[[nodiscard]] inline bool IsFull(const Problems& problems) {
  return problems.size() >= kMostPolicyProblems;
}

// Shown returns text of the file in quotes, cut if it is long. It is not escaped yet.
[[nodiscard]] std::string Shown(std::string_view text);

// DidYouMean returns `; did you mean "…"?`, or an empty text if no word is similar.
[[nodiscard]] std::string DidYouMean(std::string_view asked,
                                     std::span<const std::string_view> words);

// UnknownKey returns the problem that a key is unknown here.
[[nodiscard]] TextProblem UnknownKey(const TomlEntry& entry,
                                     std::span<const std::string_view> known);

// FindEntry looks up a key of a table. It returns nullptr if the table lacks it.
[[nodiscard]] const TomlEntry* FindEntry(const TomlValue& table, std::string_view key);

// RuleNamed looks up a slug. If no rule has it, it adds a problem and returns nullptr.
[[nodiscard]] const Rule* RuleNamed(std::string_view slug, TextPlace at, Problems& problems);

// Each function decodes a value. If it is invalid, it adds a problem and returns null or nullopt.
// Messages use the name of the key.
[[nodiscard]] const std::string* TextIn(const TomlEntry& entry, Problems& problems);
[[nodiscard]] std::optional<std::uint64_t> IntegerIn(const TomlEntry& entry, std::uint64_t least,
                                                     std::uint64_t most, Problems& problems);
// IndexIn returns the index of the value in `words`.
[[nodiscard]] std::optional<std::size_t> IndexIn(const TomlEntry& entry,
                                                 std::span<const std::string_view> words,
                                                 Problems& problems);
// TextsIn decodes an array of at least one string. The strings must be different and have 1 to 256
// bytes each.
[[nodiscard]] std::vector<const TomlValue*> TextsIn(const TomlEntry& entry, Problems& problems);
// LimitIn decodes a number, "unlimited", or for a limit in bytes a size such as "64 MiB".
[[nodiscard]] std::optional<std::uint64_t> LimitIn(const TomlEntry& entry, const LimitInfo& limit,
                                                   Problems& problems);

// HasKind adds a problem if the value has another kind.
[[nodiscard]] bool HasKind(const TomlEntry& entry, TomlValue::Kind kind, Problems& problems);

// ReadSuppressions reads the list `suppress`.
void ReadSuppressions(const TomlEntry& entry, Policy& policy, Problems& problems);

}  // namespace ggufgate::internal

#pragma once

// Single values of a policy file, and what is wrong with them. Not for users of the library.

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

// kSeverityWords are the words of the severities, the worst first; SeverityAt is that of a word.
inline constexpr std::array<std::string_view, kSeverityCount> kSeverityWords = {"error", "warning",
                                                                                "note", "off"};
constexpr Severity SeverityAt(std::size_t index) {
  return static_cast<Severity>(kSeverityCount - 1 - index);
}

// IsFull holds when there are so many problems that nobody reads more; then the reading ends. A
// hostile file could have a hundred thousand, each with a nearest word to be looked for.
[[nodiscard]] inline bool IsFull(const Problems& problems) {
  return problems.size() >= kMostPolicyProblems;
}

// Shown is text of the file between quotes, cut where it is long; still unescaped.
[[nodiscard]] std::string Shown(std::string_view text);

// DidYouMean is `; did you mean "…"?`, or empty when no word is like the one asked for.
[[nodiscard]] std::string DidYouMean(std::string_view asked,
                                     std::span<const std::string_view> words);

// UnknownKey says that no such key is known here.
[[nodiscard]] TextProblem UnknownKey(const TomlEntry& entry,
                                     std::span<const std::string_view> known);

// FindEntry looks a key of a table up; nullptr when it is not there.
[[nodiscard]] const TomlEntry* FindEntry(const TomlValue& table, std::string_view key);

// RuleNamed looks a slug up; nullptr, and a problem, when no rule has it.
[[nodiscard]] const Rule* RuleNamed(std::string_view slug, TextPlace at, Problems& problems);

// OnlyAFault tells whether nothing but a fault of the parser breaks a rule: then no policy can make
// it milder.
[[nodiscard]] inline bool OnlyAFault(const Rule& rule) { return rule.check == nullptr; }

// Each takes a value apart, or adds a problem and gives nothing. `name` is the key, for people.
[[nodiscard]] const std::string* TextIn(const TomlEntry& entry, Problems& problems);
[[nodiscard]] std::optional<std::uint64_t> IntegerIn(const TomlEntry& entry, std::uint64_t least,
                                                     std::uint64_t most, Problems& problems);
// IndexIn tells which of the words the value is.
[[nodiscard]] std::optional<std::size_t> IndexIn(const TomlEntry& entry,
                                                 std::span<const std::string_view> words,
                                                 Problems& problems);
// TextsIn takes an array of different strings, at least one, each with 1 to 256 bytes.
[[nodiscard]] std::vector<const TomlValue*> TextsIn(const TomlEntry& entry, Problems& problems);
// LimitIn takes a number, "unlimited", or for a limit in bytes a size such as "64 MiB".
[[nodiscard]] std::optional<std::uint64_t> LimitIn(const TomlEntry& entry, const LimitInfo& limit,
                                                   Problems& problems);

// HasKind adds a problem when the value is of another kind.
[[nodiscard]] bool HasKind(const TomlEntry& entry, TomlValue::Kind kind, Problems& problems);

// ReadSuppressions reads the list `suppress`.
void ReadSuppressions(const TomlEntry& entry, Policy& policy, Problems& problems);

}  // namespace ggufgate::internal

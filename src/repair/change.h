#pragma once

// The changes that a repair makes, and the faults that it leaves, in words.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "check/finding.h"

namespace ggufgate {

enum class RepairId : std::uint8_t {
#define GGUFGATE_REPAIR(name, slug, rules, sentence, reason) k##name,
#include "repair/repairs.def"
#undef GGUFGATE_REPAIR
};

// RepairInfo is one line of repairs.def.
struct RepairInfo {
  std::string_view slug;
  std::string_view rules;  // slugs, separated by ", "
  std::string_view sentence;
  std::string_view reason;
};
[[nodiscard]] std::span<const RepairInfo> AllRepairs();
[[nodiscard]] const RepairInfo& InfoOf(RepairId repair);

// Change is one change to the file.
struct Change {
  RepairId repair{};
  std::string subject = {};  // a key of the file, cut and not escaped; empty: the whole file
  std::uint64_t a = 0;       // the numbers of the sentence
  std::uint64_t b = 0;
  std::string_view text = {};  // a word of ours
};
// TextFor describes a change on one line, without its slug and reason. It is escaped.
[[nodiscard]] std::string TextFor(const Change& change);

enum class DoubtId : std::uint8_t {
#define GGUFGATE_DOUBT(name, rule, reason) k##name,
#define GGUFGATE_LEFT(rule, reason)
#include "repair/doubts.def"
#undef GGUFGATE_LEFT
#undef GGUFGATE_DOUBT
};

// Doubt is a fault that a repair has found and not changed.
struct Doubt {
  DoubtId id{};
  std::string subject = {};  // as in Change
};
[[nodiscard]] RuleId RuleOf(const Doubt& doubt);
// TextFor describes a doubt on one line. It is escaped.
[[nodiscard]] std::string TextFor(const Doubt& doubt);

// ReasonToLeave says why no repair answers a rule; nullopt if there is nothing to say about it.
[[nodiscard]] std::optional<std::string_view> ReasonToLeave(RuleId rule);

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bytes/byte_range.h"
#include "check/cause/cause.h"
#include "check/severity.h"
#include "parse/fault.h"

namespace ggufgate {

// RuleId numbers the rules in the order of rules.def. Stable names are the slugs.
enum class RuleId : std::uint16_t {
#define GGUFGATE_RULE_NAME(name, wordings) k##name,
#include "check/rule_names.def"
#undef GGUFGATE_RULE_NAME
};

// Subject is the record a finding speaks of. Text is copied from the file and cut after
// kLongestText bytes, so that a finding stays small and outlives the file; it is still hostile text
// and goes to nobody unescaped.
struct Subject {
  Place::Section section = Place::Section::kFile;
  std::uint64_t index = 0;
  std::string name = {};
  std::uint64_t element = Place::kNoElement;

  static constexpr std::size_t kLongestText = 256;
};

// Fact is a value found or allowed: nothing, a number, or text from the file (cut, unescaped).
using Fact = std::variant<std::monostate, std::uint64_t, std::string>;

// Finding is one breach of one rule: values, no prose. report/ makes the words.
struct Finding {
  RuleId rule{};
  Severity severity = Severity::kError;
  std::uint8_t wording = 0;  // number of the rule's: WordingOf(), wording.h
  ByteRange where;
  Subject subject;
  Fact observed;
  Fact allowed;
  Fact other;  // a second thing the message speaks of: the overlapped tensor, say
  Cause cause;
  // The reason that the policy gives for accepting this finding. A finding with a reason is
  // reported as any other, and does not count for the verdict. Text of the policy, unescaped.
  std::optional<std::string> suppression = {};
};

// Findings are what Check() found, in the order of the file and, at one byte, of rules.def.
struct Findings {
  std::vector<Finding> list;
  std::vector<std::uint64_t> totals;  // by RuleId: how often it fired, kept in `list` or not
  std::vector<std::uint64_t> suppressed = {};  // by RuleId: how many of those were suppressed

  // Worst is the highest severity of what the policy does not suppress, kOff when there is none.
  [[nodiscard]] Severity Worst() const;
};

}  // namespace ggufgate

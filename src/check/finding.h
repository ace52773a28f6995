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

// RuleId numbers the rules in the order of rules.def. The numbers may change; the slugs do not.
enum class RuleId : std::uint16_t {
#define GGUFGATE_RULE_NAME(name, wordings) k##name,
#include "check/rule_names.def"
#undef GGUFGATE_RULE_NAME
};

// Subject is the record that a finding is about. It copies text from the file, cut after
// kLongestText bytes, so that a finding is small and may outlive the file. The text is hostile:
// escape it before output.
struct Subject {
  Place::Section section = Place::Section::kFile;
  std::uint64_t index = 0;
  std::string name = {};
  std::uint64_t element = Place::kNoElement;

  static constexpr std::size_t kLongestText = 256;
};

// Fact is an observed or allowed value: nothing, a number, or text from the file (cut, unescaped).
using Fact = std::variant<std::monostate, std::uint64_t, std::string>;

// Finding is one violation of one rule. It has values only; report/ makes the text.
struct Finding {
  RuleId rule{};
  Severity severity = Severity::kError;
  std::uint8_t wording = 0;  // number of the wording: WordingOf(), wording.h
  ByteRange where;
  Subject subject;
  Fact observed;
  Fact allowed;
  Fact other;  // a second object in the message, such as the overlapped tensor
  Cause cause;
  // The policy's reason to suppress this finding. A suppressed finding is reported, but does not
  // affect the verdict. Text of the policy, unescaped.
  std::optional<std::string> suppression = {};
  // The releases of Policy::loaders that the finding concerns, in that order. Empty if the policy
  // names none, or if the rule does not depend on the loader.
  std::vector<std::string> releases = {};
};

// Findings are the result of Check(), sorted by file offset, then by the order of rules.def.
struct Findings {
  std::vector<Finding> list;
  std::vector<std::uint64_t> totals;           // by RuleId: number of findings, listed or not
  std::vector<std::uint64_t> suppressed = {};  // by RuleId: number of suppressed findings

  // Worst returns the highest severity of findings that are not suppressed; kOff if there are none.
  [[nodiscard]] Severity Worst() const;
};

}  // namespace ggufgate

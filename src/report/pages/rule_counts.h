#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/rule.h"
#include "gate/file_report.h"

namespace ggufgate {

// RuleCounts counts verdicts, and findings per rule, for many files.
class RuleCounts {
 public:
  // Row holds the counts of one rule.
  struct Row {
    RuleId rule{};
    Severity severity = Severity::kOff;  // the worst one that is not suppressed
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
    std::uint64_t suppressed = 0;
  };

  RuleCounts();

  // Add ignores the findings of an undecided file.
  void Add(const FileReport& report);

  // Rows returns the rules with a count. The rule that most files break comes first.
  [[nodiscard]] std::vector<Row> Rows() const;
  [[nodiscard]] std::uint64_t files(Verdict verdict) const {
    return verdicts_.at(static_cast<std::size_t>(verdict));
  }

 private:
  std::vector<Row> rows_;  // by RuleId
  std::array<std::uint64_t, 3> verdicts_{};
};

}  // namespace ggufgate

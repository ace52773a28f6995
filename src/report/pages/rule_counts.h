#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "check/rule.h"
#include "gate/file_report.h"

namespace ggufgate {

// RuleCounts counts verdicts, and findings by rule, over many files.
class RuleCounts {
 public:
  // Row is what is counted of one rule.
  struct Row {
    RuleId rule{};
    Severity severity = Severity::kOff;  // the worst of those that are not suppressed
    std::uint64_t findings = 0;
    std::uint64_t files = 0;
    std::uint64_t suppressed = 0;
  };

  RuleCounts();

  // What was found of a file until it was undecided does not count.
  void Add(const FileReport& report);

  // Rows are those that have a count, the rule that the most files break first.
  [[nodiscard]] std::vector<Row> Rows() const;
  [[nodiscard]] std::uint64_t files(Verdict verdict) const {
    return verdicts_.at(static_cast<std::size_t>(verdict));
  }

 private:
  std::vector<Row> rows_;  // by RuleId
  std::array<std::uint64_t, 3> verdicts_{};
};

}  // namespace ggufgate

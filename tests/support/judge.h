#pragma once

// Short ways from bytes or a model to what the gate says of them.

#include <cstdint>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/rule.h"
#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate::testing {

// Judged is a check with the bytes and document it speaks of.
struct Judged {
  std::vector<std::uint8_t> file;
  ParseResult parsed;
  CheckResult checked;

  // Slugs of the rules that fired at or above a severity, each once, sorted. Rules() leaves out
  // architecture-missing and quantization-version-missing: the models of most tests are as small as
  // can be, and go without those keys. AllRules() has them.
  [[nodiscard]] std::vector<std::string> Rules(Severity at_least = Severity::kNote) const;
  [[nodiscard]] std::vector<std::string> AllRules(Severity at_least = Severity::kNote) const;
  [[nodiscard]] bool Accepted() const { return checked.Worst() < Severity::kError; }
  // The first finding of a rule; fails the test and gives a blank one when there is none.
  [[nodiscard]] Finding Only(RuleId rule) const;
};

// Judge parses and checks a whole file in memory.
[[nodiscard]] Judged Judge(std::vector<std::uint8_t> file, const Policy& policy = {});
[[nodiscard]] Judged Judge(const Model& model, const Policy& policy = {});

// RulesFired are the slugs of errors and warnings, sorted: what a rule test compares.
[[nodiscard]] std::vector<std::string> RulesFired(const Model& model, const Policy& policy = {});

// SoleFinding is the first finding of a rule; fails the test where RulesFired has any other rule.
[[nodiscard]] Finding SoleFinding(const Model& model, RuleId rule, const Policy& policy = {});

}  // namespace ggufgate::testing

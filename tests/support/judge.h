#pragma once

// Shortcuts from bytes or a model to the gate's findings.

#include <cstdint>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/rule.h"
#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate::testing {

// Judged is the result of a check, with its bytes and document.
struct Judged {
  std::vector<std::uint8_t> file;
  ParseResult parsed;
  CheckResult checked;

  // Returns the slugs of the rules with findings at or above a severity, each once, sorted. Rules()
  // omits architecture-missing and quantization-version-missing, because the minimal models of most
  // tests lack those keys. AllRules() includes them.
  [[nodiscard]] std::vector<std::string> Rules(Severity at_least = Severity::kNote) const;
  [[nodiscard]] std::vector<std::string> AllRules(Severity at_least = Severity::kNote) const;
  [[nodiscard]] bool Accepted() const { return checked.Worst() < Severity::kError; }
  // Returns the first finding of a rule. If there is none, it fails the test and returns an empty
  // one.
  [[nodiscard]] Finding Only(RuleId rule) const;
};

// Judge parses and checks a whole file in memory.
[[nodiscard]] Judged Judge(std::vector<std::uint8_t> file, const Policy& policy = {});
[[nodiscard]] Judged Judge(const Model& model, const Policy& policy = {});

// RulesFired returns the slugs of errors and warnings, sorted, for rule tests.
[[nodiscard]] std::vector<std::string> RulesFired(const Model& model, const Policy& policy = {});

// SoleFinding returns the first finding of a rule. It fails the test if RulesFired has any other
// rule.
[[nodiscard]] Finding SoleFinding(const Model& model, RuleId rule, const Policy& policy = {});

}  // namespace ggufgate::testing

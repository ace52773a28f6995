#include "check/rules/contract/conditions/measured.h"

#include <algorithm>
#include <span>

#include "check/rules/contract/conditions/conditions.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

// Add adds an architecture to those with the same ending.
void Add(std::vector<Measurement>& found, std::string needs, std::string ending,
         std::string_view architecture) {
  auto same = std::ranges::find_if(
      found, [&](const Measurement& one) { return one.needs == needs && one.ending == ending; });
  if (same == found.end()) {
    same = found.insert(found.end(), {.needs = std::move(needs), .ending = std::move(ending)});
  }
  if (same->architectures.empty() || same->architectures.back() != architecture) {
    same->architectures.push_back(architecture);
  }
}

// KeysText separates the keys of a condition with commas.
std::string KeysText(const Condition& condition) {
  std::string text;
  for (const char c : condition.keys) text += c == ' ' ? ", " : std::string(1, c);
  return text;
}

// Seen is a line "condition" of a contract, for one rule.
struct Seen {
  std::string_view ending;
  std::string_view stage;
  std::string_view architecture;
};

// AddConditions reads the contracts once for all conditions: reading them once per condition would
// be too slow.
void AddConditions(RuleId rule, std::vector<Measurement>& found) {
  const std::span<const Condition> conditions = AllConditions();
  std::vector<std::vector<Seen>> seen(conditions.size());
  for (const Contract& contract : AllContracts()) {
    for (const ContractLine& line : ContractLines(contract, "condition")) {
      const Condition* const condition = FindCondition(line.name);
      if (condition == nullptr) continue;
      std::string_view fields = line.fields;
      const std::string_view ending = TakeField(fields);
      const std::string_view stage = TakeField(fields);
      if (RuleOf(*condition, stage) != rule) continue;
      seen.at(static_cast<std::size_t>(condition - conditions.data()))
          .push_back({.ending = ending, .stage = stage, .architecture = contract.architecture});
    }
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    for (const Seen& line : seen.at(i)) {
      Add(found, KeysText(conditions[i]) + ": " + std::string(conditions[i].needs),
          EndingText(line.ending, line.stage), line.architecture);
    }
  }
}

// AddLines adds the lines of one word. They are about tensors, and the contracts do not state a
// stage.
void AddLines(std::string_view word, std::string_view needs, std::string_view ending,
              std::vector<Measurement>& found) {
  for (const Contract& contract : AllContracts()) {
    const ContractLines lines(contract, word);
    if (lines.begin() != ContractLines::end())
      Add(found, std::string(needs), std::string(ending), contract.architecture);
  }
}

}  // namespace

std::vector<Measurement> MeasurementsOf(RuleId rule) {
  std::vector<Measurement> found;
  AddConditions(rule, found);
  if (rule == RuleId::kTensorRole) {
    AddLines("role", "the tensor must have a type that llama.cpp can use for it",
             "aborts or crashes when it decodes", found);
  }
  if (rule == RuleId::kTensorUsed) {
    AddLines("used", "a tensor that the compute graph uses without a check",
             "crashes when it makes a context", found);
  }
  if (rule == RuleId::kTensorUnfit) {
    AddLines("unfit", "a model without the tensor",
             "aborts or crashes when it makes a context or decodes", found);
  }
  if (rule == RuleId::kTensorUnknown) {
    AddLines("sought", "only tensors that the loader uses", "refuses the file", found);
  }
  if (rule == RuleId::kHyperparameterMissing) {
    AddLines("required", "the keys that a tiny model needs", "refuses the file", found);
  }
  if (rule == RuleId::kTensorMissing) {
    AddLines("tensor", "the tensors that a tiny model needs", "refuses the file", found);
  }
  if (rule == RuleId::kShapeRefused) {
    AddLines("shape", "the shapes that follow from the keys", "refuses the file", found);
  }
  return found;
}

}  // namespace ggufgate

#include "check/rules/contract/measured.h"

#include <algorithm>

#include "check/rules/contract/conditions.h"
#include "format/contracts/contract.h"

namespace ggufgate {
namespace {

// Add counts an architecture among those that end in one way.
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

// KeysText puts commas between the keys of a condition.
std::string KeysText(const Condition& condition) {
  std::string text;
  for (const char c : condition.keys) text += c == ' ' ? ", " : std::string(1, c);
  return text;
}

void AddConditions(RuleId rule, const Condition& condition, std::vector<Measurement>& found) {
  for (const Contract& contract : AllContracts()) {
    for (const ContractLine& line : ContractLines(contract)) {
      if (line.word != "condition" || line.name != condition.slug) continue;
      std::string_view fields = line.fields;
      const std::string_view ending = TakeField(fields);
      const std::string_view stage = TakeField(fields);
      if (RuleOf(condition, stage) != rule) continue;
      Add(found, KeysText(condition) + ": " + std::string(condition.needs),
          EndingText(ending, stage), contract.architecture);
    }
  }
}

// AddLines takes the lines of one word: of tensors, whose stage the contracts do not tell.
void AddLines(std::string_view word, std::string_view needs, std::string_view ending,
              std::vector<Measurement>& found) {
  for (const Contract& contract : AllContracts()) {
    for (const ContractLine& line : ContractLines(contract)) {
      if (line.word == word)
        Add(found, std::string(needs), std::string(ending), contract.architecture);
    }
  }
}

}  // namespace

std::vector<Measurement> MeasurementsOf(RuleId rule) {
  std::vector<Measurement> found;
  for (const Condition& condition : AllConditions()) {
    AddConditions(rule, condition, found);
  }
  if (rule == RuleId::kTensorRole) {
    AddLines("role", "a type that runs in the tensor's part of the graph",
             "aborts or crashes when it decodes", found);
  }
  if (rule == RuleId::kTensorUsed) {
    AddLines("used", "a tensor that the graph takes for granted", "crashes when it makes a context",
             found);
  }
  if (rule == RuleId::kHyperparameterMissing) {
    AddLines("required", "the keys that a tiny model cannot do without", "refuses the file", found);
  }
  if (rule == RuleId::kTensorMissing) {
    AddLines("tensor", "the tensors that a tiny model cannot do without", "refuses the file",
             found);
  }
  if (rule == RuleId::kShapeRefused) {
    AddLines("shape", "the shapes that it makes of changed keys", "refuses the file", found);
  }
  return found;
}

}  // namespace ggufgate

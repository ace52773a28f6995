#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "check/finding.h"
#include "check/policy.h"
#include "check/rules/weakness.h"

namespace ggufgate {

struct Context;
class Sink;

// Family groups rules as the catalogue does.
enum class Family : std::uint8_t {
  kContainer,
  kMetadata,
  kTensorDirectory,
  kDataLayout,
  kTensorData,
  kHyperParameters,
  kTokenizer,
  kChatTemplate,
  kSidecars,
  kReaders,
  kResources,
  kPolicy,
  kStores,
  kRehearsal
};

// IsOutsideFiles tells whether something outside the file breaks the rules of a family.
[[nodiscard]] constexpr bool IsOutsideFiles(Family family) {
  return family == Family::kStores || family == Family::kRehearsal;
}

[[nodiscard]] std::string_view WordFor(Family family);

// Rule is one block of rules.def.
struct Rule {
  RuleId id;
  std::string_view slug;  // stable: scripts, policies and reports use it
  Family family;
  std::array<Severity, kProfileCount> severities;  // by Profile
  // Finds violations of the rule in a document. nullptr if only a Fault that the parser finds,
  // or something outside the file (IsOutsideFiles), breaks the rule.
  void (*check)(const Context&, Sink&);
  std::string_view what;                       // the condition
  std::string_view why;                        // the consequence of the violation
  std::string_view repair;                     // the remedy for the file's author
  std::span<const std::string_view> messages;  // by number of the wording, see wording.h
  std::string_view reports;  // published reports that it would have prevented, separated by ", "
  std::string_view loaders;  // measured behaviour of known loaders with such a file
  Weakness weakness;

  [[nodiscard]] Severity SeverityIn(Profile profile) const {
    return severities.at(static_cast<std::size_t>(profile));
  }
  // The policy's severity for this rule, or that of its profile. If profile `gate` names loaders,
  // a rule about files that llama.cpp does not run has the severity of profile `llama.cpp`.
  [[nodiscard]] Severity SeverityIn(const Policy& policy) const;
};

// OnlyAFault tells whether only faults that the parser finds, or faults of a store, break a rule.
// Then no policy can reduce its severity.
[[nodiscard]] inline bool OnlyAFault(const Rule& rule) {
  return rule.check == nullptr && rule.family != Family::kRehearsal;
}

// IsOfOptions is true for rules about options of a loader that are off by default.
[[nodiscard]] bool IsOfOptions(RuleId rule);

// AllRules returns the catalogue in the order of RuleId.
[[nodiscard]] std::span<const Rule> AllRules();
[[nodiscard]] const Rule& RuleOf(RuleId id);
// FindRule finds a rule by its slug; nullptr if there is none.
[[nodiscard]] const Rule* FindRule(std::string_view slug);

}  // namespace ggufgate

#pragma once

#include <array>
#include <cstdint>
#include <span>
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
  kStores
};

[[nodiscard]] std::string_view WordFor(Family family);

// Rule is one line of rules.def.
struct Rule {
  RuleId id;
  std::string_view slug;  // stable: scripts, policies and reports name rules by it
  Family family;
  std::array<Severity, kProfileCount> severities;  // by Profile
  // Finds the rule's breaches in a document; nullptr when only a Fault of the parser breaks it, or
  // what surrounds the file (family kStores).
  void (*check)(const Context&, Sink&);
  std::string_view what;                       // the condition
  std::string_view why;                        // what goes wrong without the rule
  std::string_view repair;                     // what the file's author changes
  std::span<const std::string_view> messages;  // by the number of the wording, see wording.h
  std::string_view reports;  // published reports the rule would have stopped, separated by ", "
  std::string_view loaders;  // what known loaders do with such a file, as measured
  Weakness weakness;

  [[nodiscard]] Severity SeverityIn(Profile profile) const {
    return severities.at(static_cast<std::size_t>(profile));
  }
  // The policy's choice for this rule, or else that of its profile.
  [[nodiscard]] Severity SeverityIn(const Policy& policy) const;
};

// AllRules lists the catalogue in the order of RuleId.
[[nodiscard]] std::span<const Rule> AllRules();
[[nodiscard]] const Rule& RuleOf(RuleId id);
// FindRule looks a slug up; nullptr when there is no such rule.
[[nodiscard]] const Rule* FindRule(std::string_view slug);

}  // namespace ggufgate

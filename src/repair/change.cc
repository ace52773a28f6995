#include "repair/change.h"

#include <algorithm>
#include <array>

#include "bytes/grouped.h"
#include "words/escape.h"
#include "words/message.h"

namespace ggufgate {
namespace {

constexpr std::array kRepairs = {
#define GGUFGATE_REPAIR(name, slug, rules, sentence, reason) \
  RepairInfo{slug, rules, sentence, reason},
#include "repair/repairs.def"
#undef GGUFGATE_REPAIR
};

struct DoubtInfo {
  RuleId rule;
  std::string_view reason;
};

constexpr std::array kDoubts = {
#define GGUFGATE_DOUBT(name, rule, reason) DoubtInfo{RuleId::k##rule, reason},
#define GGUFGATE_LEFT(rule, reason)
#include "repair/doubts.def"
#undef GGUFGATE_LEFT
#undef GGUFGATE_DOUBT
};

constexpr std::array kLeft = {
#define GGUFGATE_DOUBT(name, rule, reason)
#define GGUFGATE_LEFT(rule, reason) DoubtInfo{RuleId::k##rule, reason},
#include "repair/doubts.def"
#undef GGUFGATE_LEFT
#undef GGUFGATE_DOUBT
};

const DoubtInfo& InfoOf(const Doubt& doubt) {
  return kDoubts.at(static_cast<std::size_t>(doubt.id));
}

// About puts the subject in front of a text.
std::string About(std::string_view subject, std::string text) {
  return subject.empty() ? text : EscapeText(subject) + ": " + std::move(text);
}

}  // namespace

std::span<const RepairInfo> AllRepairs() { return kRepairs; }

const RepairInfo& InfoOf(RepairId repair) { return kRepairs.at(static_cast<std::size_t>(repair)); }

std::string TextFor(const Change& change) {
  const auto value = [&](std::string_view name, std::string_view) {
    if (name == "text") return std::string(change.text);
    return Grouped(name == "a" ? change.a : change.b);
  };
  return About(change.subject, FillIn(InfoOf(change.repair).sentence, value));
}

RuleId RuleOf(const Doubt& doubt) { return InfoOf(doubt).rule; }

std::string TextFor(const Doubt& doubt) {
  return About(doubt.subject, std::string(InfoOf(doubt).reason));
}

std::optional<std::string_view> ReasonToLeave(RuleId rule) {
  const auto found = std::ranges::find(kLeft, rule, &DoubtInfo::rule);
  if (found == kLeft.end()) return std::nullopt;
  return found->reason;
}

}  // namespace ggufgate

#include "rehearse/outcome.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ggufgate {
namespace {

constexpr std::array<std::string_view, kRehearsalStages> kStageWords = {
#define STAGE(name, word) word,
#include "rehearse/stages.def"
#undef STAGE
};

}  // namespace

std::string_view WordFor(RehearsalStage stage) {
  return kStageWords.at(static_cast<std::size_t>(stage));
}

std::optional<RehearsalStage> StageCalled(std::string_view word) {
  const auto found = std::ranges::find(kStageWords, word);
  if (found == kStageWords.end()) return std::nullopt;
  return static_cast<RehearsalStage>(found - kStageWords.begin());
}

std::string_view WordFor(RehearsalOutcome outcome) {
  constexpr std::array kWords = {
#define OUTCOME(name, word, meaning) std::string_view(word),
#include "rehearse/outcomes.def"
#undef OUTCOME
  };
  return kWords.at(static_cast<std::size_t>(outcome));
}

Rehearsal NotRehearsed(std::string reason) { return {.reason = std::move(reason)}; }

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

enum class RehearsalStage : std::uint8_t {
#define STAGE(name, word) k##name,
#include "rehearse/stages.def"
#undef STAGE
};

inline constexpr std::size_t kRehearsalStages = static_cast<std::size_t>(RehearsalStage::kDone) + 1;

[[nodiscard]] std::string_view WordFor(RehearsalStage stage);
[[nodiscard]] std::optional<RehearsalStage> StageCalled(std::string_view word);

enum class RehearsalOutcome : std::uint8_t {
#define OUTCOME(name, word, meaning) k##name,
#include "rehearse/outcomes.def"
#undef OUTCOME
};

[[nodiscard]] std::string_view WordFor(RehearsalOutcome outcome);

// Rehearsal tells how a loader got on with a model. Its texts come from the loader: they are
// hostile, and bounded.
struct Rehearsal {
  RehearsalOutcome outcome = RehearsalOutcome::kNotRehearsed;
  RehearsalStage stage = RehearsalStage::kOpen;  // the one that it was in
  int signal = 0;                                // that killed the loader; 0: no signal
  std::string reason = {};                       // why it does not run
  std::string version = {};                      // as the loader says it
  std::vector<std::string> notes = {};           // parts that were left out, and the like
  double seconds = 0;                            // by the clock
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  // resident
};

// NotRehearsed is the rehearsal that did not take place.
[[nodiscard]] Rehearsal NotRehearsed(std::string reason);

}  // namespace ggufgate

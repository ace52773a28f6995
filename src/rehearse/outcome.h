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

// Rehearsal is the result of running a loader on a model. Its texts come from the loader: they are
// untrusted, and their length is limited.
struct Rehearsal {
  RehearsalOutcome outcome = RehearsalOutcome::kNotRehearsed;
  RehearsalStage stage = RehearsalStage::kOpen;  // the last stage that it entered
  int signal = 0;                                // the signal that killed the loader, or 0
  std::string reason = {};                       // why it does not run
  std::string version = {};                      // according to the loader
  std::vector<std::string> notes = {};           // skipped parts and other remarks
  double seconds = 0;                            // elapsed time
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  // resident
};

// NotRehearsed returns a rehearsal that did not run, with the reason.
[[nodiscard]] Rehearsal NotRehearsed(std::string reason);

}  // namespace ggufgate

#include "fuzz/external/rehearsing.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#ifdef GGUFGATE_REHEARSES
#include "gate/reading/sealed_memory.h"
#include "rehearse/rehearse.h"
#include "tests/oracles/forked_child.h"
#endif

namespace ggufgate::external {
namespace {

#ifdef GGUFGATE_REHEARSES

constexpr unsigned kPromptTokens = 32;

std::string library;  // absolute path

std::string Open(const std::string& path) {
  std::error_code error;
  library = std::filesystem::canonical(path, error).string();
  if (error) return "--loader: there is no such library";
  return std::filesystem::is_regular_file(library) ? "" : "--loader needs a library, not a folder";
}

Outcome OutcomeOf(const Rehearsal& rehearsal) {
  switch (rehearsal.outcome) {
    case RehearsalOutcome::kRuns:
      return Outcome::kLoads;
    case RehearsalOutcome::kRefuses:
      return Outcome::kRefuses;
    case RehearsalOutcome::kCrashes:
      return Outcome::kCrashes;
    case RehearsalOutcome::kHangs:
      return Outcome::kHangs;
    case RehearsalOutcome::kExceedsMemory:
      return Outcome::kMemory;
    case RehearsalOutcome::kNotRehearsed:
      break;
  }
  throw std::runtime_error("not rehearsed: " + rehearsal.reason);
}

// Ask gives the library the complete file, with its data.
Answer Ask(const File& file, const Bounds& bounds) {
  const absl::StatusOr<Descriptor> model = NewMemory();
  if (!model.ok()) throw std::runtime_error(std::string(model.status().message()));
  oracles::Rewrite(model->get(), file);
  if (const absl::Status sealed = Seal(*model); !sealed.ok()) {
    throw std::runtime_error(std::string(sealed.message()));
  }
  const Rehearsal rehearsal = Rehearse(
      {.loader = library, .front_bytes = {file.size()}, .tokens = kPromptTokens}, {&*model, 1},
      {.cpu_seconds = std::chrono::duration<double>(bounds.patience).count(),
       .memory_bytes = bounds.memory});
  return {.outcome = OutcomeOf(rehearsal),
          .signal = rehearsal.signal,
          .words = rehearsal.reason,
          .stage = std::string(WordFor(rehearsal.stage))};
}

#else

std::string Open(const std::string& /*path*/) {
  return "--loader PATH: this program was built without rehearsals, which need Linux with Landlock";
}

Answer Ask(const File& /*file*/, const Bounds& /*bounds*/) { return {}; }

#endif

}  // namespace

Loader RehearsingLoader() {
  return {.name = "PATH",
          .what = "any libllama.so, in the sandbox of `ggufgate rehearse`",
          .alone = true,
          .open = Open,
          .ask = Ask};
}

}  // namespace ggufgate::external

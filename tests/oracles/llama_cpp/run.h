#pragma once

// Runs one model through all steps of a program: loads it, reads its properties, tokenises and
// detokenises texts, decodes, saves and restores. If the library crashes, the process crashes.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/oracles/llama_cpp/library.h"

namespace ggufgate::oracles::llama_cpp {

enum class Stage : std::uint8_t {
#define STAGE(name, word) k##name,
#include "tests/oracles/llama_cpp/stages.def"
#undef STAGE
};

[[nodiscard]] std::string_view WordFor(Stage stage);

// Progress is the current stage of a run. In memory shared with a parent, it shows where the run
// crashed.
struct Progress {
  std::atomic<Stage> stage = Stage::kLoad;
  std::atomic<bool> refused = false;   // without a crash, at that stage
  std::atomic<bool> decoded = false;   // a batch passed through the whole graph
  std::atomic<bool> odd_rows = false;  // were rotated; only with the option "rotations"
};

// RunOptions are the choices of a caller; options.def has their words.
struct RunOptions {
#define FLAG(member, word, meaning) bool member = false;
#include "tests/oracles/llama_cpp/options.def"
#undef FLAG
  std::string adapter = {};  // path of a LoRA adapter: "adapter:PATH"
};

// ReadRunOptions parses words separated by commas; nullopt if one is unknown.
[[nodiscard]] std::optional<RunOptions> ReadRunOptions(std::string_view words);

// Run returns at the end of the last step, or after the library refused the file.
void Run(const Library& library, const char* path, const RunOptions& options, Progress& progress);

}  // namespace ggufgate::oracles::llama_cpp

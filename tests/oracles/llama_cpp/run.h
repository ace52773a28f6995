#pragma once

// Runs one model through all that a program does with it: loads it, reads what it says of itself,
// turns texts into tokens and back, decodes, saves and restores. Dies of it where the library does.

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

// Progress is where a run is. In memory shared with a parent, it tells where the run died.
struct Progress {
  std::atomic<Stage> stage = Stage::kLoad;
  std::atomic<bool> refused = false;  // cleanly, at that stage
  std::atomic<bool> decoded = false;  // some batch went through the whole graph
};

// RunOptions are what a caller may do differently; words for them stand in options.def.
struct RunOptions {
#define FLAG(member, word, meaning) bool member = false;
#include "tests/oracles/llama_cpp/options.def"
#undef FLAG
  std::string adapter = {};  // path of a LoRA adapter: "adapter:PATH"
};

// ReadRunOptions reads words with commas between; nullopt where one is unknown.
[[nodiscard]] std::optional<RunOptions> ReadRunOptions(std::string_view words);

// Run returns when all is done or the library refused the file.
void Run(const Library& library, const char* path, const RunOptions& options, Progress& progress);

}  // namespace ggufgate::oracles::llama_cpp

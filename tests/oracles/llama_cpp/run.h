#pragma once

// Runs one model through all operations of a program: loads it, reads its metadata, converts texts
// to tokens and back, decodes, saves and restores. It crashes if the library crashes.

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

// Progress is the current stage of a run. In memory shared with a parent, it tells where the run
// crashed.
struct Progress {
  std::atomic<Stage> stage = Stage::kLoad;
  std::atomic<bool> refused = false;  // with an error, at that stage
  std::atomic<bool> decoded = false;  // some batch went through the complete graph
};

// RunOptions are the options of a run; options.def has the words for them.
struct RunOptions {
#define FLAG(member, word, meaning) bool member = false;
#include "tests/oracles/llama_cpp/options.def"
#undef FLAG
  std::string adapter = {};  // path of a LoRA adapter: "adapter:PATH"
};

// ReadRunOptions parses words separated by commas. It returns nullopt if one is unknown.
[[nodiscard]] std::optional<RunOptions> ReadRunOptions(std::string_view words);

// Run returns when all stages are done or the library has refused the file.
void Run(const Library& library, const char* path, const RunOptions& options, Progress& progress);

}  // namespace ggufgate::oracles::llama_cpp

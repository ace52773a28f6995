#pragma once

// Model stores that the options of `check` request.

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "gate/find_files.h"

namespace ggufgate {

// StoreOptions name the stores. An empty path means the default folder of the program that owns the
// store.
struct StoreOptions {
  std::string ollama;
  std::string hugging_face;
  // Set by AddStoreOptions. Looking up an option by name in CLI11 allocates memory, and must not
  // fail here.
  std::optional<CommandOption> ollama_option;
  std::optional<CommandOption> hugging_face_option;

  [[nodiscard]] bool HasOllama() const { return ollama_option->Given(); }
  [[nodiscard]] bool HasHuggingFace() const { return hugging_face_option->Given(); }
  [[nodiscard]] bool Any() const { return HasOllama() || HasHuggingFace(); }
};

// AddStoreOptions declares the options. `options` and `command` must outlive the run.
void AddStoreOptions(Command command, StoreOptions& options);

// AddStores adds the requested stores and all other files in their folders. A missing folder is a
// problem.
void AddStores(const StoreOptions& options, const std::vector<std::string>& excluded,
               FoundFiles& found);

}  // namespace ggufgate

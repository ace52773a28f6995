#pragma once

// The model stores that `check` is asked for by options.

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "gate/find_files.h"

namespace ggufgate {

// StoreOptions say which stores; an empty path: where the program that keeps it has it by default.
struct StoreOptions {
  std::string ollama;
  std::string hugging_face;
  // Set by AddStoreOptions. To ask CLI11 for an option by its name allocates, and must not fail
  // here.
  std::optional<CommandOption> ollama_option;
  std::optional<CommandOption> hugging_face_option;

  [[nodiscard]] bool HasOllama() const { return ollama_option->Given(); }
  [[nodiscard]] bool HasHuggingFace() const { return hugging_face_option->Given(); }
  [[nodiscard]] bool Any() const { return HasOllama() || HasHuggingFace(); }
};

// AddStoreOptions declares them; `options` and `command` outlive the run.
void AddStoreOptions(Command command, StoreOptions& options);

// AddStores adds the requested stores and all other files in their folders; an absent folder is a
// problem.
void AddStores(const StoreOptions& options, const std::vector<std::string>& excluded,
               FoundFiles& found);

}  // namespace ggufgate

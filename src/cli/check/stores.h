#pragma once

// The model stores that `check` is asked for by options.

#include <string>

#include "cli/command_line.h"
#include "gate/find_files.h"

namespace ggufgate {

// StoreOptions say which stores; an empty path: where the program that keeps it has it by default.
struct StoreOptions {
  std::string ollama;
  std::string hugging_face;
  // The options themselves, which know whether they were given: to ask for them by name takes
  // memory in a function of CLI11's that may not fail.
  const CLI::Option* ollama_option = nullptr;
  const CLI::Option* hugging_face_option = nullptr;

  [[nodiscard]] bool HasOllama() const { return ollama_option->count() > 0; }
  [[nodiscard]] bool HasHuggingFace() const { return hugging_face_option->count() > 0; }
  [[nodiscard]] bool Any() const { return HasOllama() || HasHuggingFace(); }
};

// AddStoreOptions declares them; `options` and `command` outlive the run.
void AddStoreOptions(CLI::App& command, StoreOptions& options);

// AddStores adds those asked for to found.stores; what is not there is a problem.
void AddStores(const StoreOptions& options, FoundFiles& found);

}  // namespace ggufgate

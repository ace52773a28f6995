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
  bool has_ollama = false;
  bool has_hugging_face = false;

  [[nodiscard]] bool Any() const { return has_ollama || has_hugging_face; }
};

// AddStoreOptions declares them; `options` outlives the parsing. Which were given, has_ollama and
// has_hugging_face say after ReadStoreOptions.
void AddStoreOptions(CLI::App& command, StoreOptions& options);
void ReadStoreOptions(const CLI::App& command, StoreOptions& options);

// AddStores adds those asked for to found.stores; what is not there is a problem.
void AddStores(const StoreOptions& options, FoundFiles& found);

}  // namespace ggufgate

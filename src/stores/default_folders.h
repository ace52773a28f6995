#pragma once

#include <string>
#include <vector>

namespace ggufgate {

// Where Ollama and huggingface_hub keep models unless they are told otherwise, in the order in
// which they are looked for. One that an environment variable names is the only one.
[[nodiscard]] std::vector<std::string> OllamaFolders();
[[nodiscard]] std::vector<std::string> HuggingFaceFolders();

// IsThere tells whether a path leads to a folder, or to something that nobody may look at.
[[nodiscard]] bool IsThere(const std::string& folder);

}  // namespace ggufgate

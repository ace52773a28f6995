#pragma once

#include <string>
#include <vector>

namespace ggufgate {

// The default folders for models of Ollama and of huggingface_hub, in the order of the search. If
// an environment variable names a folder, it is the only one.
[[nodiscard]] std::vector<std::string> OllamaFolders();
[[nodiscard]] std::vector<std::string> HuggingFaceFolders();

// IsThere tells whether a path is a folder, or cannot be examined.
[[nodiscard]] bool IsThere(const std::string& folder);

}  // namespace ggufgate

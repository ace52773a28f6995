#include "cli/check/stores.h"

#include <filesystem>

#include "absl/strings/str_cat.h"
#include "stores/default_folders.h"
#include "stores/list_stores.h"

namespace ggufgate {
namespace {

// FolderOf returns the requested folder, or the first default folder that exists. If none exists,
// or if a file was requested, it adds a problem and returns nullopt.
std::optional<std::string> FolderOf(const char* option, const std::string& asked,
                                    const std::vector<std::string>& defaults, FoundFiles& found) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(asked, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_directory(status)) {
    found.problems.push_back({asked, absl::InvalidArgumentError(absl::StrCat(
                                         option, " takes a folder; put files before it"))});
    return std::nullopt;
  }
  if (!asked.empty()) return asked;
  for (const std::string& folder : defaults) {
    if (IsThere(folder)) return folder;
  }
  for (const std::string& folder : defaults) {
    found.problems.push_back({folder, absl::NotFoundError("there is no such folder")});
  }
  return std::nullopt;
}

}  // namespace

void AddStoreOptions(Command command, StoreOptions& options) {
  options.ollama_option =
      command
          .AddOption(
              "--ollama", options.ollama,
              "Check the models in Ollama's store and report them by their names. Each blob that a "
              "manifest names is checked. The rest of DIR is searched like any other folder. "
              "Default of DIR: "
              "$OLLAMA_MODELS, ~/.ollama/models, or "
              "/usr/share/ollama/.ollama/models.")
          .ValueOptional()
          .ShownAs("[DIR]");
  options.hugging_face_option =
      command
          .AddOption("--huggingface", options.hugging_face,
                     "Check the models in Hugging Face's cache and report them by their names. The "
                     "rest of DIR is searched like any other folder. Default of DIR: "
                     "$HF_HUB_CACHE, $HF_HOME/hub, $XDG_CACHE_HOME/huggingface/hub, or "
                     "~/.cache/huggingface/hub.")
          .ValueOptional()
          .ShownAs("[DIR]");
}

void AddStores(const StoreOptions& options, const std::vector<std::string>& excluded,
               FoundFiles& found) {
  if (options.HasOllama()) {
    if (const auto folder = FolderOf("--ollama", options.ollama, OllamaFolders(), found)) {
      FindOllamaStore(*folder, found, excluded);
    }
  }
  if (options.HasHuggingFace()) {
    if (const auto folder =
            FolderOf("--huggingface", options.hugging_face, HuggingFaceFolders(), found)) {
      FindRepositories(*folder, found, excluded);
    }
  }
}

}  // namespace ggufgate

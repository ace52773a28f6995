#include "stores/default_folders.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>

namespace ggufgate {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::vector<std::string> OllamaFolders() {
  if (std::string models = Variable("OLLAMA_MODELS"); !models.empty()) return {std::move(models)};
  std::vector<std::string> folders;
  if (const std::string home = Variable("HOME"); !home.empty()) {
    folders.push_back(home + "/.ollama/models");
  }
  folders.emplace_back(
      // The folder of the service that Ollama's installer sets up.
      "/usr/share/ollama/.ollama/models");
  return folders;
}

std::vector<std::string> HuggingFaceFolders() {
  if (std::string cache = Variable("HF_HUB_CACHE"); !cache.empty()) return {std::move(cache)};
  if (const std::string home = Variable("HF_HOME"); !home.empty()) return {home + "/hub"};
  if (const std::string cache = Variable("XDG_CACHE_HOME"); !cache.empty()) {
    return {cache + "/huggingface/hub"};
  }
  const std::string home = Variable("HOME");
  if (home.empty()) return {};
  return {home + "/.cache/huggingface/hub"};
}

bool IsThere(const std::string& folder) {
  struct stat status = {};
  if (::stat(folder.c_str(), &status) != 0) return errno != ENOENT && errno != ENOTDIR;
  return S_ISDIR(status.st_mode);
}

}  // namespace ggufgate

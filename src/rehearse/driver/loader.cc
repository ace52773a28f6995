#include "rehearse/driver/loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <string_view>

namespace ggufgate::driver {
namespace {

constexpr int kMostMissing = 32;  // missing libraries of one library

// Log levels of ggml, unchanged since October 2024.
constexpr int kError = 4;
constexpr int kContinues = 5;

// Logs only errors, which explain a refusal. A line comes in several pieces.
void Log(int level, const char* text, void* /*data*/) {
  static bool heard = false;
  if (level != kContinues) heard = level == kError;
  const std::string_view piece(text != nullptr ? text : "");
  if (heard && ::write(STDERR_FILENO, piece.data(), piece.size()) < 0) heard = false;
}

// NameOfMissing extracts the library's name from "NAME: cannot open shared object file: …".
std::string NameOfMissing(std::string_view problem) {
  const std::size_t colon = problem.find(": cannot open shared object file");
  if (colon == std::string_view::npos) return "";
  const std::string_view name = problem.substr(0, colon);
  return name.find('/') == std::string_view::npos ? std::string(name) : "";
}

template <typename Function>
void Find(void* handle, const char* name, const char* old_name, Function*& function) {
  void* found = ::dlsym(handle, name);
  if (found == nullptr && std::string_view(old_name) != "") found = ::dlsym(handle, old_name);
  function = reinterpret_cast<Function*>(found);
}

// MissingIn lists the missing functions that a rehearsal requires.
std::string MissingIn(const Loader& loader) {
  std::string missing;
  const auto need = [&](auto* function, std::string_view name) {
    if (function == nullptr && missing.empty()) missing = name;
  };
#define NEED(name) need(loader.name, #name)
  NEED(llama_backend_init);
  NEED(llama_model_default_params);
  NEED(llama_model_load_from_file);
  NEED(llama_model_free);
  NEED(llama_model_get_vocab);
  NEED(llama_vocab_n_tokens);
  NEED(llama_vocab_type);
  NEED(llama_tokenize);
  NEED(llama_token_to_piece);
  NEED(llama_context_default_params);
  NEED(llama_init_from_model);
  NEED(llama_free);
  NEED(llama_batch_get_one);
  NEED(llama_decode);
  NEED(llama_get_logits_ith);
#undef NEED
  return missing;
}

}  // namespace

void* OpenLibrary(const std::string& path, const std::string& folder, std::string& problem) {
  for (int tried = 0; tried < kMostMissing; ++tried) {
    // Global, because backends, which are opened later, use its functions.
    void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (handle != nullptr) return handle;
    const char* const error = ::dlerror();
    problem = error != nullptr ? error : "the library cannot be opened";
    const std::string missing = NameOfMissing(problem);
    if (missing.empty()) return nullptr;
    // It may lack other libraries; the next round names them.
    if (::dlopen((folder + "/" + missing).c_str(), RTLD_LAZY | RTLD_GLOBAL) == nullptr) {
      const char* const deeper = ::dlerror();
      const std::string next = NameOfMissing(deeper != nullptr ? deeper : "");
      if (next.empty() ||
          ::dlopen((folder + "/" + next).c_str(), RTLD_LAZY | RTLD_GLOBAL) == nullptr) {
        return nullptr;
      }
    }
  }
  return nullptr;
}

std::string OpenLoader(const std::string& path, Loader& loader) {
  loader.folder = path.substr(0, path.rfind('/'));
  std::string problem;
  loader.handle = OpenLibrary(path, loader.folder, problem);
  if (loader.handle == nullptr) return problem;
#define FUNCTION(result, name, old_name, parameters) \
  Find(loader.handle, #name, old_name, loader.name);
#include "rehearse/driver/functions.def"
#undef FUNCTION
  if (const std::string missing = MissingIn(loader); !missing.empty()) {
    return "the library has no function " + missing;
  }
  return "";
}

void StartBackends(const Loader& loader) {
  if (loader.llama_log_set != nullptr) loader.llama_log_set(Log, nullptr);
  if (loader.ggml_backend_load_all_from_path != nullptr) {
    loader.ggml_backend_load_all_from_path(loader.folder.c_str());
  }
  loader.llama_backend_init();
}

}  // namespace ggufgate::driver

#include "tests/oracles/llama_cpp/library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ggufgate::oracles::llama_cpp {
namespace {

// The names of the libraries contain their release.
std::string LibraryCalled(const std::string& folder, const std::string& stem) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem + ".") && name.ends_with(".so")) return entry.path().string();
  }
  return "";
}

// Logs the reasons of refusals and the messages of assertions, but not the table that llama.cpp
// prints of every model. It writes a line in several pieces.
void Log(ggml_log_level level, const char* text, void* /*data*/) {
  static bool heard = false;
  if (level != GGML_LOG_LEVEL_CONT) heard = level >= GGML_LOG_LEVEL_WARN;
  if (heard && ::write(STDERR_FILENO, text, std::strlen(text)) < 0) heard = false;
}

}  // namespace

std::string FolderOfLibraries() {
  const char* const named = std::getenv("GGUFGATE_LLAMA");
  return named != nullptr ? named : GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64";
}

std::string OpenOnly(Library& library) {
  ::setenv("GGML_NO_BACKTRACE", "1", 1);  // a failed assertion would start a debugger
  const std::string path = LibraryCalled(FolderOfLibraries(), "libllama");
  if (path.empty()) return "no reference library: scripts/fetch-reference fetches it";
  // Its dependencies are found in its folder, and their functions through it.
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return "the reference library cannot be opened";
#define FUNCTION(name)                                                        \
  library.name = reinterpret_cast<decltype(&::name)>(::dlsym(handle, #name)); \
  if (library.name == nullptr) return "the reference library has no " #name;
#include "tests/oracles/llama_cpp/functions.def"
#undef FUNCTION
  return "";
}

void StartBackends(const Library& library) {
  library.llama_log_set(Log, nullptr);
  library.ggml_backend_load_all_from_path(FolderOfLibraries().c_str());
  library.llama_backend_init();
}

std::string Open(Library& library) {
  std::string problem = OpenOnly(library);
  if (problem.empty()) StartBackends(library);
  return problem;
}

}  // namespace ggufgate::oracles::llama_cpp

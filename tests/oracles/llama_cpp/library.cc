#include "tests/oracles/llama_cpp/library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ggufgate::oracles::llama_cpp {
namespace {

// Releases call it libllama.so, libllama.so.0 or libllama.v0.5.0.so, and have links to it. The
// shortest name is taken.
std::string LibraryCalled(const std::string& folder, const std::string& stem) {
  std::string best;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool fits = name.starts_with(stem + ".") &&
                      (name.ends_with(".so") || name.find(".so.") != std::string::npos);
    const bool is_better =
        best.empty() || name.size() < best.size() || (name.size() == best.size() && name < best);
    if (fits && is_better) best = name;
  }
  return best.empty() ? "" : folder + "/" + best;
}

// Only reasons and failed assertions are of interest, not the table that llama.cpp prints for every
// model. It prints a line in several pieces.
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
  ::setenv("GGML_NO_BACKTRACE", "1", 1);  // otherwise a failed assertion would start a debugger
  const std::string path = LibraryCalled(FolderOfLibraries(), "libllama");
  if (path.empty()) {
    return "no libllama in " + FolderOfLibraries() +
           "; scripts/fetch-reference fetches the reference library";
  }
  // Its dependencies are in the same folder, and dlsym() finds their functions through it.
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return std::string("the library cannot be opened: ") + ::dlerror();
#define FUNCTION(result, name, parameters)  \
  library.name.Set(::dlsym(handle, #name)); \
  if (!library.name) library.lacks += (library.lacks.empty() ? "" : ",") + std::string(#name);
#define NEEDED(result, name, parameters)    \
  library.name.Set(::dlsym(handle, #name)); \
  if (!library.name) return "the library has no " #name;
#include "tests/oracles/llama_cpp/functions.def"
#undef NEEDED
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

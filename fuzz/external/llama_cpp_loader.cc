#include "fuzz/external/llama_cpp.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <string>

namespace ggufgate::external {
namespace {

struct Context;  // ggml_context
struct Model;    // gguf_context
struct Params {  // gguf_init_params of gguf.h
  bool no_alloc;
  Context** context;
};

struct Library {
  Model* (*init)(const char*, Params);
  void (*free_model)(Model*);
  void (*free_context)(Context*);
} library;

template <typename Function>
bool Find(void* handle, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(::dlsym(handle, name));
  return out != nullptr;
}

std::string Prepare() {
  const char* const named = std::getenv("GGUFGATE_GGML");
  const char* const path =
      named != nullptr ? named : GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64/libggml-base.so";
  ::setenv("GGML_NO_BACKTRACE", "1", 1);  // a failed assertion would start a debugger
  void* const handle = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return "no reference library: scripts/fetch-reference fetches it";
  const bool found = Find(handle, "gguf_init_from_file", library.init) &&
                     Find(handle, "gguf_free", library.free_model) &&
                     Find(handle, "ggml_free", library.free_context);
  return found ? "" : "the library does not have what is asked for";
}

bool Load(const char* path, bool data, bool with_context) {
  Context* context = nullptr;
  Model* const model =
      library.init(path, {.no_alloc = !data, .context = with_context ? &context : nullptr});
  if (context != nullptr) library.free_context(context);
  if (model == nullptr) return false;
  library.free_model(model);
  return true;
}

bool LoadContext(const char* path) { return Load(path, /*data=*/false, /*with_context=*/true); }
bool LoadMetadata(const char* path) { return Load(path, /*data=*/false, /*with_context=*/false); }
bool LoadData(const char* path) { return Load(path, /*data=*/true, /*with_context=*/true); }

constexpr std::array<Loader, 3> kLoaders = {
    {{"context", "what llama.cpp does before it maps the data (default)", LoadContext, Prepare},
     {"metadata", "keys and tensor infos alone", LoadMetadata, Prepare},
     {"data", "all data too, read as one blob", LoadData, Prepare}}};

}  // namespace

std::span<const Loader> LlamaCppLoaders() { return kLoaders; }

}  // namespace ggufgate::external

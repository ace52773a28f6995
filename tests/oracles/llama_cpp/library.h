#pragma once

// The reference loader: libllama and libggml of the release that scripts/fetch-reference puts into
// build/reference. They are opened at run time, and never linked or shipped. The types are those of
// the release's headers.

#include <string>

#include "ggml-backend.h"
#include "gguf.h"
#include "llama.h"

namespace ggufgate::oracles::llama_cpp {

struct Library {
#define FUNCTION(name) decltype(&::name) name = nullptr;
#include "tests/oracles/llama_cpp/functions.def"
#undef FUNCTION
};

// Open opens the libraries, finds the functions and starts the backends, once per process. It
// returns the reason if that fails, else an empty text. Only warnings and errors of the library go
// to standard error. GGUFGATE_LLAMA names another folder of libraries.
[[nodiscard]] std::string Open(Library& library);

// OpenOnly does the same without starting the backends, which the learner does when its replaced
// functions are ready.
[[nodiscard]] std::string OpenOnly(Library& library);
void StartBackends(const Library& library);

// FolderOfLibraries returns the folder that Open uses.
[[nodiscard]] std::string FolderOfLibraries();

}  // namespace ggufgate::oracles::llama_cpp

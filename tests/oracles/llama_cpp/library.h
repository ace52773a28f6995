#pragma once

// The reference loader: libllama and libggml of the release that scripts/fetch-reference puts into
// build/reference. They are opened at run time, and never linked or shipped; the types are those of
// the release's own headers.

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

// Open opens the libraries, finds the functions and starts the backends, once in a process. Nothing
// is returned: it is done; otherwise the reason why not. Warnings and errors of the library go to
// standard error, and nothing else. GGUFGATE_LLAMA names another folder of libraries.
[[nodiscard]] std::string Open(Library& library);

// OpenOnly does all but start the backends, which the learner does when its own functions are
// ready.
[[nodiscard]] std::string OpenOnly(Library& library);
void StartBackends(const Library& library);

// FolderOfLibraries is where Open looks.
[[nodiscard]] std::string FolderOfLibraries();

}  // namespace ggufgate::oracles::llama_cpp

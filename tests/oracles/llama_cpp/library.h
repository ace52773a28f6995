#pragma once

// The loader: libllama and libggml of a release, in build/reference or in a folder that
// GGUFGATE_LLAMA names. They are opened at run time, and never linked or shipped. The types are
// from the release's headers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "ggml-backend.h"
#include "gguf.h"
#include "llama.h"

// Declarations of functions that the release's headers may lack. A qualified name such as
// "::llama_decode" means the function of the headers. Only if they declare none does it mean one of
// these: the directive makes them visible, and declarations of the global namespace come first.
namespace ggufgate_known {
#define FUNCTION(result, name, parameters) result name parameters;
#define NEEDED FUNCTION
#include "tests/oracles/llama_cpp/functions.def"
#undef NEEDED
#undef FUNCTION
}  // namespace ggufgate_known
using namespace ggufgate_known;  // NOLINT(google-build-using-namespace,google-global-names-in-headers)

namespace ggufgate::oracles::llama_cpp {

// Function is a function of the library. If the release lacks it, a call does nothing and returns
// zero.
template <typename Pointer>
class Function;

template <typename Result, typename... Parameters>
class Function<Result (*)(Parameters...)> {
 public:
  void Set(void* found) { pointer_ = reinterpret_cast<Result (*)(Parameters...)>(found); }
  [[nodiscard]] explicit operator bool() const { return pointer_ != nullptr; }

  Result operator()(Parameters... arguments) const {
    if (pointer_ != nullptr) return pointer_(arguments...);
    if constexpr (!std::is_void_v<Result>) return Result{};
  }

 private:
  Result (*pointer_)(Parameters...) = nullptr;
};

struct Library {
#define FUNCTION(result, name, parameters) Function<decltype(&::name)> name;
#define NEEDED FUNCTION
#include "tests/oracles/llama_cpp/functions.def"
#undef NEEDED
#undef FUNCTION
  std::string lacks;  // names of functions that the release lacks, separated by commas
};

// GGUFGATE_SET sets a field of a parameter struct, if the release's headers have it.
#define GGUFGATE_SET(params, field, value)                                                         \
  [&](auto& into) {                                                                                \
    if constexpr (requires { into.field; }) into.field = static_cast<decltype(into.field)>(value); \
  }(params)

// Open opens the libraries, finds the functions and starts the backends, once per process. It
// returns the reason for a failure, or an empty text. Only warnings and errors of the library go to
// standard error. GGUFGATE_LLAMA sets another folder of libraries.
[[nodiscard]] std::string Open(Library& library);

// OpenOnly does not start the backends. The learner does that when its functions are ready.
[[nodiscard]] std::string OpenOnly(Library& library);
void StartBackends(const Library& library);

// FolderOfLibraries returns the folder that Open uses.
[[nodiscard]] std::string FolderOfLibraries();

}  // namespace ggufgate::oracles::llama_cpp

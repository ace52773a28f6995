#pragma once

// Signs that a file is a model, or was meant to be one.

#include <string_view>

#include "absl/status/statusor.h"

namespace ggufgate {

// IsNamedGguf tells whether a name ends with .gguf, in upper or lower case.
[[nodiscard]] bool IsNamedGguf(std::string_view name);

// IsNamedLikeABlob tells whether a name is a blob name of Ollama. Ollama also gives such names to
// templates and licences.
[[nodiscard]] bool IsNamedLikeABlob(std::string_view name);

// IsNone tells whether an errno means that no file can be opened by a name: it is missing, a broken
// link, or a socket. Any other error may hide a model.
[[nodiscard]] bool IsNone(int error);

// BeginsWithMagic tells whether `name` in an open folder is a regular file that begins with the
// GGUF magic. It does not block on pipes without a writer or on devices.
[[nodiscard]] absl::StatusOr<bool> BeginsWithMagic(int folder, const char* name);

}  // namespace ggufgate

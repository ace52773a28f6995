#pragma once

// What marks a file as a model, or as one that was meant to be.

#include <string_view>

#include "absl/status/statusor.h"

namespace ggufgate {

// IsNamedGguf tells of names that end with .gguf, in any case.
[[nodiscard]] bool IsNamedGguf(std::string_view name);

// IsNamedLikeABlob tells of names that Ollama gives to models, and to templates and licences too.
[[nodiscard]] bool IsNamedLikeABlob(std::string_view name);

// IsNone tells whether an errno of a name means that no file can be opened by it: it is gone, it is
// a link that leads nowhere, or a socket. Any other may hide a model.
[[nodiscard]] bool IsNone(int error);

// BeginsWithMagic tells whether `name` in a folder that is open is a regular file that begins as
// GGUF files do. What it opens may be a pipe that nobody writes to, or a device.
[[nodiscard]] absl::StatusOr<bool> BeginsWithMagic(int folder, const char* name);

}  // namespace ggufgate

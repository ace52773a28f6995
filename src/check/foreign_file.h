#pragma once

// Not for users of the library.

#include <cstdint>

#include "bytes/bytes.h"
#include "check/cause.h"

namespace ggufgate {

// ForeignFile recognises, by its first bytes, what is no GGUF file at all: a page or pointer that
// was saved under the model's name, an archive, another format.
[[nodiscard]] Cause ForeignFile(Bytes head, std::uint64_t file_size);

}  // namespace ggufgate

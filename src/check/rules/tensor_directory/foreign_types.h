#pragma once

// Which program gave a tensor type its number. Not for users of the library.

#include <cstdint>

#include "check/cause/cause.h"
#include "check/rules/context.h"

namespace ggufgate {

// CauseOfType names the owner of a type that llama.cpp refuses, or all owners that the signs in the
// file do not contradict. Where the signs contradict each, it names all: the file may be damaged.
[[nodiscard]] Cause CauseOfType(const Context& context, std::uint32_t type_id);

}  // namespace ggufgate

#pragma once

#include "bytes/bytes.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// ChangeLeaf returns a changed copy of `leaf` in the arena, at most `most` bytes long. The engine's
// own mutator makes it where there is one, so that values that the engine has seen the target
// compare with reach single fields, too. Empty when the arena is used up.
[[nodiscard]] MutableBytes ChangeLeaf(MutationContext& context, Bytes leaf, std::size_t most);

}  // namespace ggufgate::mutate

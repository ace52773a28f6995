#pragma once

#include "bytes/bytes.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// ChangeLeaf gives other bytes in the place of `leaf`, in the arena, at most `most` of them:
// by the engine's own mutator where there is one, so that what it learnt of the target reaches the
// leaves too. Empty when the arena is used up.
[[nodiscard]] MutableBytes ChangeLeaf(MutationContext& context, Bytes leaf, std::size_t most);

}  // namespace ggufgate::mutate

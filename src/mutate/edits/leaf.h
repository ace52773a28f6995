#pragma once

#include "bytes/bytes.h"
#include "mutate/build/mutation_context.h"

namespace ggufgate::mutate {

// ChangeLeaf returns a changed copy of `leaf` in the arena, at most `most` bytes long. If there is
// an engine, its mutator makes the copy. So values that the target compares with also reach single
// fields. Empty if the arena is full.
[[nodiscard]] MutableBytes ChangeLeaf(MutationContext& context, Bytes leaf, std::size_t most);

}  // namespace ggufgate::mutate

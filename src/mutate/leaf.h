#pragma once

#include "bytes/bytes.h"
#include "mutate/bench.h"

namespace ggufgate::mutate {

// ChangeLeaf gives other bytes in the place of `leaf`, in scratch memory, at most `most` of them:
// by the engine's own mutator where there is one, so that what it learnt of the target reaches the
// leaves too. Empty when scratch is used up.
[[nodiscard]] MutableBytes ChangeLeaf(Bench& bench, Bytes leaf, std::size_t most);

}  // namespace ggufgate::mutate

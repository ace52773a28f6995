#pragma once

#include <cstdint>

namespace ggufgate::driver {

// Functions of this program that replace those of the C library and of ggml. The linker finds them
// first, because this program exports them.

// ReplaceWeights changes mappings of the file `model`: they hold its first `front_bytes` bytes, and
// after them the file `zeros`, of kZeroBytes, repeatedly. Each shard and each adapter takes one
// call; calls beyond kMostStandIns have no effect.
void ReplaceWeights(int model, int zeros, std::uint64_t front_bytes);

// UseRealLookup sets the function of ggml that this program replaces. With `in_order`, a loader
// that asks it for buffers of repacked weights gets none, because the loader would copy all weights
// into them.
void UseRealLookup(void* lookup, bool in_order);
// UseNextLookup does the same with the function that the dynamic linker would find next. The search
// takes place at the first call.
void UseNextLookup(bool in_order);
// WeightsWereLeft tells whether the loader has asked for such buffers in vain.
[[nodiscard]] bool WeightsWereLeft();

}  // namespace ggufgate::driver

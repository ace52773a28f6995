#pragma once

#include <cstdint>

namespace ggufgate::driver {

// Functions of this program that replace those of the C library and of ggml. The linker finds them
// first, because this program exports them.

// ReplaceWeights: a mapping of the file `model` holds its first `front_bytes` bytes, and behind
// them the file `zeros`, of kZeroBytes, again and again.
void ReplaceWeights(int model, int zeros, std::uint64_t front_bytes);

// UseRealLookup: `lookup` is the function of ggml that this program replaces. With `in_order`, a
// loader that asks it for buffers of repacked weights gets none: it would copy all weights into
// them.
void UseRealLookup(void* lookup, bool in_order);
// UseNextLookup: the same, of the function that the dynamic linker would find next. It looks when
// the function is called first.
void UseNextLookup(bool in_order);
// WeightsWereLeft tells whether the loader has asked for such buffers and got none.
[[nodiscard]] bool WeightsWereLeft();

}  // namespace ggufgate::driver

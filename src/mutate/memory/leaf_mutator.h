#pragma once

#include <cstddef>
#include <cstdint>

namespace ggufgate::mutate {

// LeafMutator changes some bytes in place and gives their new number, at most `most`:
// LLVMFuzzerMutate of libFuzzer, which knows what the target compares its input with.
using LeafMutator = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t most);

}  // namespace ggufgate::mutate

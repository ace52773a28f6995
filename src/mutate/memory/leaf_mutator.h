#pragma once

#include <cstddef>
#include <cstdint>

namespace ggufgate::mutate {

// LeafMutator changes some bytes in place and returns their new number, at most `most`. An example
// is LLVMFuzzerMutate of libFuzzer, which knows the values that the target compares its input with.
using LeafMutator = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t most);

}  // namespace ggufgate::mutate

#pragma once

// The interface between libFuzzer and a mutator: FuzzerInterface.h of LLVM's compiler-rt, which
// Debian's compilers do not install. fuzz/engines defines the first two functions.

#include <cstddef>
#include <cstdint>

extern "C" {

// Mutates data[0, size) in place, within max_size bytes; returns the new size, not 0.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned int seed);

// Writes a cross of two inputs to out, within max_out_size bytes; returns its size.
std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                      const std::uint8_t* data2, std::size_t size2,
                                      std::uint8_t* out, std::size_t max_out_size,
                                      unsigned int seed);

// The engine's mutation of bytes. It exists only if an engine is linked (so it is weak), and uses
// the values with which the target compares its input.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size)
    __attribute__((weak));

}  // extern "C"

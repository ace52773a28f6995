// Adapter for libFuzzer: FuzzerInterface.h of LLVM's compiler-rt describes the calls.
//
// A mutant depends only on its input, the donor and the seed, except for the changes of
// LLVMFuzzerMutate to leaves. It is never the input, and never empty.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "fuzz/engines/settings.h"
#include "mutate/memory/copy_bytes.h"
#include "mutate/mutator.h"
#include "tests/oracles/libfuzzer_calls.h"

namespace ggufgate::fuzz {
namespace {

using mutate::Mutator;

// MutatorWithRoom returns the mutator. It makes a new one only if an input or a mutant may be
// larger than all before.
Mutator& MutatorWithRoom(std::size_t bytes) {
  constexpr std::size_t kLeast = std::size_t{64} << 10;
  static std::unique_ptr<Mutator> mutator;
  static std::size_t room = 0;
  if (mutator == nullptr || bytes > room) {
    room = std::bit_ceil(std::max(bytes, kLeast));
    mutator = std::make_unique<Mutator>(room);
  }
  return *mutator;
}

// RoomFor returns the maximum size of a mutant: three times out of four small, or no larger than
// its input.
std::size_t RoomFor(std::size_t most, std::size_t input, unsigned int seed) {
  constexpr std::size_t kSmall = 512;
  return seed % 4 == 0 ? most : std::min(most, std::max(kSmall, input));
}

// Mutate writes a mutant to `out` and returns its size. `input` may be the front of `out`.
std::size_t Mutate(Bytes input, Bytes donor, MutableBytes out, unsigned int seed) {
  static const Settings settings = SettingsFromEnvironment();
  if (out.empty()) return 0;
  out = out.first(RoomFor(out.size(), input.size(), seed));
  Mutator& mutator = MutatorWithRoom(std::max({input.size(), donor.size(), out.size()}));
  const mutate::Mutant mutant = mutator.Make({.input = input,
                                              .donor = donor,
                                              .mode = settings.mode,
                                              .seed = seed,
                                              .max_size = out.size(),
                                              .data = settings.data,
                                              .leaf = LLVMFuzzerMutate});
  mutate::CopyBytes(mutant.bytes, out);
  if (!mutant.bytes.empty()) return mutant.bytes.size();
  out.front() = static_cast<std::uint8_t>(seed);  // the engine accepts no empty input
  return 1;
}

}  // namespace
}  // namespace ggufgate::fuzz

// While a crash is minimised, `max_size` is smaller than `size`.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                    unsigned int seed) {
  return ggufgate::fuzz::Mutate({data, size}, {}, {data, max_size}, seed);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1,
                                      const std::uint8_t* data2, std::size_t size2,
                                      std::uint8_t* out, std::size_t max_out_size,
                                      unsigned int seed) {
  return ggufgate::fuzz::Mutate({data1, size1}, {data2, size2}, {out, max_out_size}, seed);
}

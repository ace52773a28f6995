#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ggufgate::mutate {

// Random is SplitMix64 (Steele, Lea, Flood 2014): integers only, and the same numbers from the same
// seed on every machine. Not for secrets.
//
// Draw at most one number within the arguments of a call or the operands of an operator: compilers
// evaluate them in different orders. (The order is defined for ?:, && and ||, and in braces.)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Next() {
    state_ += 0x9E37'79B9'7F4A'7C15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
    z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
    return z ^ z >> 31;
  }

  // Below returns a number from 0 to bound − 1; 0 if bound is 0. The bias is below bound / 2^64.
  std::uint64_t Below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(Next()) * bound >> 64);
  }
  // Between returns a number from `least` to `most`, which must not be less.
  std::uint64_t Between(std::uint64_t least, std::uint64_t most) {
    if (least == 0 && most == UINT64_MAX) return Next();  // the bound 2^64 does not fit
    return least + Below(most - least + 1);
  }
  // OneIn returns true with probability 1/n.
  bool OneIn(std::uint64_t n) { return Below(n) == 0; }

  // Two returns two different numbers below `bound`, which must be at least 2.
  struct Pair {
    std::size_t first, second;
  };
  Pair Two(std::size_t bound) {
    const std::size_t first = Below(bound);
    return {first, (first + Between(1, bound - 1)) % bound};
  }

  // Pick returns a random element of a list, which must not be empty.
  template <typename T>
  const T& Pick(std::span<const T> things) {
    return things[Below(things.size())];
  }
  template <typename T, std::size_t kCount>
  const T& Pick(const std::array<T, kCount>& things) {
    return Pick(std::span<const T>(things));
  }

 private:
  __extension__ using Product = unsigned __int128;

  std::uint64_t state_;
};

}  // namespace ggufgate::mutate

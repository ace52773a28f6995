#pragma once

#include <cstdint>
#include <random>

#include "parse/model.h"

namespace ggufgate::testing {

// Random draws numbers that are the same on every platform, unlike std::uniform_int_distribution.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t Any() { return engine_(); }
  // Below draws a number less than `bound`, which must not be 0.
  [[nodiscard]] std::uint64_t Below(std::uint64_t bound) { return engine_() % bound; }
  [[nodiscard]] bool OneIn(std::uint64_t n) { return Below(n) == 0; }

  // One draws an element of a range, which must not be empty.
  template <typename Range>
  [[nodiscard]] auto& One(Range& range) {
    return range[Below(std::size(range))];
  }

 private:
  std::mt19937_64 engine_;
};

// RandomModel makes a model like the reference loader's tests do: keys `my_key_N` with values of
// random types, tensors `my_tensor_N` of random types with 1 to 4 dimensions. Bools and strings
// have random bytes, which the loader accepts.
[[nodiscard]] Model RandomModel(std::uint64_t seed, std::size_t keys, std::size_t tensors,
                                std::uint64_t alignment = kDefaultAlignment);

}  // namespace ggufgate::testing

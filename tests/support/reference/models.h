#pragma once

#include <cstdint>
#include <random>

#include "parse/model.h"

namespace ggufgate::testing {

// Random draws numbers that are the same on every platform, which std::uniform_int_distribution
// does not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t Any() { return engine_(); }
  // Below draws a number under `bound`, which is not 0.
  [[nodiscard]] std::uint64_t Below(std::uint64_t bound) { return engine_() % bound; }
  [[nodiscard]] bool OneIn(std::uint64_t n) { return Below(n) == 0; }

  // One draws an element of a range that is not empty.
  template <typename Range>
  [[nodiscard]] auto& One(Range& range) {
    return range[Below(std::size(range))];
  }

 private:
  std::mt19937_64 engine_;
};

// RandomModel makes a model as the reference loader's own tests do: keys `my_key_N` with values of
// random types, tensors `my_tensor_N` of random types with 1 to 4 dimensions. Bools and strings
// hold random bytes: the loader takes them.
[[nodiscard]] Model RandomModel(std::uint64_t seed, std::size_t keys, std::size_t tensors,
                                std::uint64_t alignment = kDefaultAlignment);

}  // namespace ggufgate::testing

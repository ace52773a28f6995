#include "mutate/mutator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace ggufgate::mutate {
namespace {

TEST(Draft, EmitsWhatItTookApart) {
  Draft draft;
  Random random(1);
  std::vector<std::uint8_t> out(1 << 12);
  Mutator mutator(1 << 12);
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Mutant mutant = mutator.Make({.input = {}, .seed = seed});
    const std::vector<std::uint8_t> bytes(mutant.bytes.begin(), mutant.bytes.end());
    TakeApart(bytes, draft);
    const auto size = Emit(draft, out);
    ASSERT_TRUE(size);
    ASSERT_TRUE(std::ranges::equal(std::span(out).first(*size), bytes)) << seed;
  }
}

}  // namespace
}  // namespace ggufgate::mutate

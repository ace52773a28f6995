// The adapter for libFuzzer, called like the engine calls it.

#include <gmock/gmock.h>

#include <set>
#include <vector>

#include "parse/model.h"
#include "tests/oracles/libfuzzer_calls.h"

namespace {
int leaf_calls = 0;
}  // namespace

// The engine's function, which the adapter references weakly.
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size) {
  ++leaf_calls;
  if (size == 0 && max_size > 0) {
    *data = 'x';
    return 1;
  }
  if (size > 0) *data ^= 1;
  return std::min(size, max_size);
}

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

// Mutated provides a buffer of exactly `max_size` bytes, or the size of the input if that is
// larger. So AddressSanitizer detects a write beyond it.
File Mutated(const File& input, std::size_t max_size, unsigned int seed) {
  File data = input;
  data.resize(std::max(input.size(), max_size));
  data.shrink_to_fit();
  const std::size_t size = LLVMFuzzerCustomMutator(data.data(), input.size(), max_size, seed);
  EXPECT_LE(size, max_size);
  data.resize(size);
  return data;
}

File Crossed(const File& a, const File& b, std::size_t max_size, unsigned int seed) {
  File out(max_size);
  const std::size_t size = LLVMFuzzerCustomCrossOver(a.data(), a.size(), b.data(), b.size(),
                                                     out.data(), out.size(), seed);
  EXPECT_LE(size, max_size);
  out.resize(size);
  return out;
}

File SmallFile() {
  Model model = Model::Minimal();
  model.Set("general.name", "small");
  model.Add("a", TensorType::kF32, {8});
  return Write(model);
}

// The gate checks small files several times as fast, but large ones are not cut to be small.
TEST(LibFuzzerMutator, MakesThreeOutOfFourSmallOrNoLargerThanTheirInput) {
  constexpr std::size_t kSmall = 512, kMost = 8192;
  const File small = SmallFile();
  Model model = Model::Minimal();
  model.Add("a", TensorType::kF32, {512});
  const File large = Write(model);
  ASSERT_LT(small.size(), kSmall);
  ASSERT_GT(large.size(), 4 * kSmall);
  int grown = 0, uncut = 0;
  for (unsigned int seed = 0; seed < 800; ++seed) {
    const std::size_t from_small = Mutated(small, kMost, seed).size();
    const std::size_t from_large = Mutated(large, kMost, seed).size();
    if (seed % 4 != 0) {
      EXPECT_LE(from_small, kSmall);
      EXPECT_LE(from_large, large.size());
    }
    if (from_small > kSmall) ++grown;
    if (from_large > 4 * kSmall) ++uncut;
  }
  EXPECT_GT(grown, 10);
  EXPECT_GT(uncut, 200);
}

TEST(LibFuzzerMutator, IsAFunctionOfDataAndSeed) {
  const File seed = SmallFile();
  std::set<File> different;
  for (unsigned int i = 0; i < 500; ++i) {
    const File mutant = Mutated(seed, 4096, i);
    EXPECT_EQ(Mutated(seed, 4096, i), mutant);
    EXPECT_NE(mutant, seed);
    EXPECT_FALSE(mutant.empty());
    different.insert(mutant);
  }
  EXPECT_GT(different.size(), 250U);
  EXPECT_GT(leaf_calls, 0);
}

TEST(LibFuzzerMutator, LargerInputsBeforeDoNotMatter) {
  const File seed = SmallFile();
  const File mutant = Mutated(seed, 4096, 5);
  File large = seed;
  large.resize(std::size_t{300} << 10);
  EXPECT_FALSE(Mutated(large, large.size(), 6).empty());
  EXPECT_EQ(Mutated(seed, 4096, 5), mutant);
}

TEST(LibFuzzerMutator, MakesAFileFromNothing) {
  std::size_t files = 0;
  for (unsigned int i = 0; i < 100; ++i) {
    const File mutant = Mutated({}, 4096, i);
    EXPECT_FALSE(mutant.empty());
    files += mutant.size() >= 24 && mutant.front() == 'G' ? 1U : 0U;
  }
  EXPECT_GT(files, 50U);
}

TEST(LibFuzzerMutator, WorksWhereTheRoomIsSmallerThanTheInput) {
  const File seed = SmallFile();
  for (std::size_t room = 0; room < seed.size(); ++room) {
    for (unsigned int i = 0; i < 20; ++i) {
      EXPECT_EQ(Mutated(seed, room, i).empty(), room == 0) << room;
    }
  }
}

TEST(LibFuzzerMutator, CrossesTwoInputs) {
  const File a = SmallFile();
  const File b = Write(Model::Minimal());
  for (unsigned int i = 0; i < 200; ++i) {
    const File mutant = Crossed(a, b, 4096, i);
    EXPECT_EQ(Crossed(a, b, 4096, i), mutant);
    EXPECT_FALSE(mutant.empty());
  }
  EXPECT_FALSE(Crossed({}, {}, 64, 1).empty());
  EXPECT_TRUE(Crossed(a, b, 0, 1).empty());
  EXPECT_FALSE(Crossed(a, b, 3, 1).empty());
}

}  // namespace
}  // namespace ggufgate::testing

#include "mutate/mutator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/mutate/seed_files.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kMutatorRoom = std::size_t{1} << 14;

File Copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

TEST(Mutator, NeverGivesTheInputBackNorMoreThanWasAskedFor) {
  std::vector<File> files = CorpusFiles(4096);
  files.emplace_back();
  files.push_back({'G'});
  files.push_back({'G', 'G', 'U', 'F', 3, 0, 0, 0});
  Mutator mutator(kMutatorRoom);
  for (std::uint64_t i = 0; i < Rounds(2'000'000); ++i) {
    const File& file = files[i % files.size()];
    const std::size_t most = i % 2 == 0 ? i / 2 % 31 : i * 7 % 5000;
    const Mode mode = kModes.at(i / 31 % kModes.size());
    const Mutant mutant = mutator.Make({.input = file, .mode = mode, .seed = i, .max_size = most});
    ASSERT_LE(mutant.bytes.size(), most) << i;
    if (most == 0) {
      ASSERT_TRUE(mutant.bytes.empty()) << i;
    } else {
      ASSERT_FALSE(std::ranges::equal(mutant.bytes, file)) << i;
    }
    ASSERT_NE(mutant.mode, Mode::kMixed);
    ASSERT_EQ(mutant.expect == Expectation::kReject, !mutant.rules.empty()) << i;
    if (mode == Mode::kReduce && !file.empty() && most > 0) {
      ASSERT_LE(mutant.bytes.size(), file.size()) << i;
    }
  }
}

// Each mode makes the requested mutant if there is space. It falls back only if there is none.
TEST(Mutator, MakesTheModeAskedFor) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator mutator(kMutatorRoom);
  for (const Mode mode : kModes) {
    if (mode == Mode::kMixed) continue;
    std::uint64_t others = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const File& file = files[i % files.size()];
      if (mode == Mode::kReduce && file.empty()) continue;
      const Mutant mutant = mutator.Make({.input = file, .mode = mode, .seed = i});
      others += mutant.mode != mode;
    }
    EXPECT_LE(others, 3U) << static_cast<int>(mode);
  }
}

TEST(Mutator, TheSameRequestTwiceGivesTheSameBytes) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator used(kMutatorRoom);
  for (std::uint64_t i = 0; i < Rounds(20'000); ++i) {
    const Request request{.input = files[i % files.size()],
                          .donor = files[i * 5 % files.size()],
                          .mode = kModes.at(i % kModes.size()),
                          .seed = i,
                          .max_size = i % 5 == 0 ? 300 : kMutatorRoom};
    const File first = Copy(used.Make(request).bytes);
    // Mutants that were made in between have no effect.
    (void)used.Make({.input = files[(i + 1) % files.size()], .seed = ~i});
    ASSERT_TRUE(std::ranges::equal(used.Make(request).bytes, first)) << i;
  }
}

TEST(Mutator, AnotherMutatorGivesTheSameBytes) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator one(kMutatorRoom);
  Mutator other(kMutatorRoom);
  for (std::uint64_t i = 0; i < 50; ++i) (void)other.Make({.input = files[i], .seed = i});
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Request request{.input = files[i % files.size()], .seed = i};
    const File first = Copy(one.Make(request).bytes);
    ASSERT_TRUE(std::ranges::equal(other.Make(request).bytes, first)) << i;
  }
}

bool Contains(Bytes bytes, std::string_view text) {
  return AsText(bytes).find(text) != std::string_view::npos;
}

TEST(Mutator, BorrowsFromTheDonor) {
  // A donor with an unusual key and tensor.
  const File input = {'G', 'G', 'U', 'F', 3, 0, 0, 0, 0, 0, 0, 0,
                      0,   0,   0,   0,   0, 0, 0, 0, 0, 0, 0, 0};
  File donor(160, 0x11);
  constexpr std::string_view kDonor(
      "GGUF\3\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
      "\x09\0\0\0\0\0\0\0zz.donor9\0\0\0\0\x05"
      "\x07\0\0\0\0\0\0\0tensor7\1\0\0\0\4\0\0\0\0\0\0\0\x18\0\0\0\0\0\0\0\0\0\0\0",
      24 + 22 + 39);
  std::ranges::copy(AsBytes(kDonor), donor.begin());
  Mutator mutator(kMutatorRoom);
  std::uint64_t keys = 0;
  std::uint64_t tensors = 0;
  std::uint64_t data = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Mutant mutant = mutator.Make(
        {.input = input, .donor = donor, .mode = Mode::kConsistent, .seed = i, .max_size = 4096});
    keys += Contains(mutant.bytes, "zz.donor9");
    tensors += Contains(mutant.bytes, "tensor7");
    data += Contains(mutant.bytes, "\x11\x11\x11\x11");
    const Mutant alone =
        mutator.Make({.input = input, .mode = Mode::kConsistent, .seed = i, .max_size = 4096});
    ASSERT_FALSE(Contains(alone.bytes, "zz.donor9")) << i;
  }
  EXPECT_GT(keys, 20U);
  EXPECT_GT(tensors, 20U);
  EXPECT_GT(data, 20U);
}

std::size_t leaves = 0;

std::size_t LazyLeaf(std::uint8_t*, std::size_t size, std::size_t) {
  ++leaves;
  return size;
}

std::size_t GreedyLeaf(std::uint8_t*, std::size_t, std::size_t most) {
  ++leaves;
  return most + 5;
}

// An engine whose mutator changes nothing, or claims too much, cannot make Make hang.
TEST(Mutator, EndsWithAnyEngine) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator mutator(kMutatorRoom);
  for (const LeafMutator leaf : {&LazyLeaf, &GreedyLeaf}) {
    leaves = 0;
    for (std::uint64_t i = 0; i < 4000; ++i) {
      const File& file = files[i % files.size()];
      const std::size_t most = i % 40 * (1 + i % 100);
      const Mutant mutant = mutator.Make({.input = file,
                                          .mode = kModes.at(i % kModes.size()),
                                          .seed = i,
                                          .max_size = most,
                                          .leaf = leaf});
      ASSERT_LE(mutant.bytes.size(), most);
      if (most > 0) {
        ASSERT_FALSE(std::ranges::equal(mutant.bytes, file)) << i;
      }
    }
    EXPECT_GT(leaves, 100U);
  }
}

TEST(Mutator, CutsInputsThatAreLargerThanItself) {
  const std::vector<File> files = CorpusFiles();
  Mutator mutator(100);
  for (std::uint64_t i = 0; i < 5000; ++i) {
    const Mutant mutant = mutator.Make({.input = files[i % files.size()],
                                        .donor = files[i / 3 % files.size()],
                                        .mode = kModes.at(i % kModes.size()),
                                        .seed = i});
    ASSERT_LE(mutant.bytes.size(), 100U);
  }
}

TEST(Mutator, WorksWithoutAnyRoom) {
  Mutator mutator(0);
  const File file = {1, 2, 3};
  for (const Mode mode : kModes) {
    EXPECT_TRUE(mutator.Make({.input = file, .mode = mode}).bytes.empty());
  }
}

}  // namespace
}  // namespace ggufgate::mutate

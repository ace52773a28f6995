// The same request gives the same bytes on every machine, with every compiler.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/mutator.h"
#include "tests/mutate/seed_files.h"
#include "tests/support/golden.h"

namespace ggufgate::mutate {
namespace {

// Fnv is FNV-1a with 64 bits (Fowler, Noll, Vo).
class Fnv {
 public:
  void Add(Bytes bytes) {
    for (const std::uint8_t byte : bytes) value_ = (value_ ^ byte) * 0x100'0000'01B3;
  }
  void Add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) {
      value_ = (value_ ^ (number & 0xFF)) * 0x100'0000'01B3;
      number >>= 8;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF2'9CE4'8422'2325;
};

constexpr std::size_t kMutantRoom = 4096;
constexpr std::uint64_t kMutants = 21'000;  // 3,000 of each mode

// Changes with every listed mutation, and when the tables of keys or types grow. The printed value
// is right if g++ and clang, with and without optimisation, print the same. If they differ, two
// random numbers are drawn within the arguments of one call (random.h).
constexpr std::uint64_t kGolden = 0x12DD'9B00'CAFB'5B08;

constexpr const char* kListed = "mutate/golden_mutations.txt";

// IsListed chooses the mutations of the list, so that new mutations and examples do not change the
// digest.
bool IsListed(std::string_view slug) {
  static const std::set<std::string, std::less<>> kSlugs = [] {
    const std::vector<std::string> lines = testing::GoldenLines(kListed);
    return std::set<std::string, std::less<>>(lines.begin(), lines.end());
  }();
  return kSlugs.contains(slug);
}

TEST(Determinism, ListsOnlyMutationsThatExist) {
  for (const std::string& slug : testing::GoldenLines(kListed)) {
    EXPECT_NE(FindMutation(slug), nullptr)
        << "No mutation is called " << slug << ". Correct or remove its line in tests/" << kListed;
  }
}

TEST(Determinism, TheSameBytesEverywhere) {
  // The first files come from seeds alone, so that changes of the corpus have no effect. Every
  // mutant may become an input.
  Mutator mutator(kMutantRoom, IsListed);
  std::vector<File> files(1);
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const Mutant file = mutator.Make({.input = {}, .mode = Mode::kGenerate, .seed = seed});
    files.emplace_back(file.bytes.begin(), file.bytes.end());
  }
  Fnv digest;
  for (std::uint64_t i = 0; i < kMutants; ++i) {
    const Mutant mutant = mutator.Make({.input = files[i % files.size()],
                                        .donor = files[i * 7 % files.size()],
                                        .mode = kModes.at(i % kModes.size()),
                                        .seed = i,
                                        .max_size = 64 + i % kMutantRoom,
                                        .data = DataNeeded::kFull});
    digest.Add(mutant.bytes);
    digest.Add(mutant.bytes.size());
    digest.Add(mutant.mutations.size());
    for (const Mutation* mutation : mutant.mutations) digest.Add(AsBytes(mutation->slug));
    if (i % 16 == 0) files[i / 16 % files.size()].assign(mutant.bytes.begin(), mutant.bytes.end());
  }
  EXPECT_EQ(digest.value(), kGolden) << "If listed mutations, repair, keys or types changed, write "
                                        "in tests/mutate/determinism_test.cc:\n"
                                     << "constexpr std::uint64_t kGolden = 0x" << std::uppercase
                                     << std::hex << digest.value() << ";";
}

TEST(Determinism, DoesNotDependOnTheRoomOfTheMutator) {
  Mutator small(kMutantRoom);
  Mutator large(64 * kMutantRoom);
  for (std::uint64_t seed = 0; seed < 7'000; ++seed) {
    const Mutant file = small.Make({.input = {}, .mode = Mode::kGenerate, .seed = seed % 64});
    const File input(file.bytes.begin(), file.bytes.end());
    const Request request{.input = input,
                          .mode = kModes.at(seed % kModes.size()),
                          .seed = seed,
                          .max_size = 64 + seed % (kMutantRoom - 64)};
    const Mutant a = small.Make(request);
    const Mutant b = large.Make(request);
    ASSERT_TRUE(std::ranges::equal(a.bytes, b.bytes)) << seed;
  }
}

}  // namespace
}  // namespace ggufgate::mutate

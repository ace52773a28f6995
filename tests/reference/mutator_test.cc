// Loads mutants of the mutator with the library.
//
// A consistent mutant is valid, so the library loads it, unless a rule of profile llama.cpp that is
// no error in profile gate explains why not. For the mixed schedule, the share that loads depends
// on its weights: it is only printed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "mutate/mutator.h"
#include "tests/support/judge.h"
#include "tests/support/reference/library.h"
#include "tests/support/reference/models.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

constexpr std::size_t kLargestSeed = std::size_t{64} << 10;  // bytes
constexpr std::size_t kMutants = 12'000;

// Seeds are an empty file, the small files of the corpus, valid and invalid, and random models.
std::vector<File> Seeds() {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : {"valid", "invalid"}) {
    const auto root = std::filesystem::path(GGUFGATE_SOURCE_DIR) / "corpus" / folder;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.is_regular_file() && entry.file_size() <= kLargestSeed) paths.push_back(entry);
    }
  }
  std::ranges::sort(paths);  // for the same order on every file system
  std::vector<File> seeds(1);
  for (const std::filesystem::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  for (std::uint64_t i = 0; i < 20; ++i) seeds.push_back(Write(RandomModel(i, i, i)));
  return seeds;
}

class MutatorTest : public ReferenceTest {
 protected:
  // Ask makes mutants and checks whether the library loads them like llama.cpp does.
  void Ask(mutate::Mode mode) {
    const std::vector<File> seeds = Seeds();
    ASSERT_GT(seeds.size(), 100U) << "no corpus";
    mutate::Mutator mutator(2 * kLargestSeed);
    for (std::size_t i = 0; i < kMutants; ++i) {
      const mutate::Mutant mutant = mutator.Make({.input = seeds.at(i % seeds.size()),
                                                  .donor = seeds.at((i * 7 + 1) % seeds.size()),
                                                  .mode = mode,
                                                  .seed = i});
      files_.emplace_back(mutant.bytes.begin(), mutant.bytes.end());
    }
    answers_ = Library().AskAll(files_, Mode::kContext);
    loaded_ = static_cast<std::size_t>(std::ranges::count(answers_, Answer::kLoads));
  }

  [[nodiscard]] double Share() const {
    return 100 * static_cast<double>(loaded_) / static_cast<double>(files_.size());
  }

  void Print(std::string_view name) const {
    std::cout << name << ": " << loaded_ << " of " << files_.size() << " load, " << std::fixed
              << std::setprecision(2) << Share() << " %\n";
  }

  // ExpectLoads requires that at least 99 % load, and that a rule explains each that does not.
  void ExpectLoads() const {
    std::map<std::string, std::size_t> reasons;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (answers_.at(i) == Answer::kLoads) continue;
      EXPECT_EQ(answers_.at(i), Answer::kRefuses) << "mutant " << i;
      const auto errors =
          Judge(files_.at(i), PolicyFor(Profile::kLlamaCpp)).Rules(Severity::kError);
      EXPECT_FALSE(errors.empty()) << "mutant " << i << " does not load, and no rule says why";
      if (!errors.empty()) ++reasons[errors.front()];
    }
    for (const auto& [rule, count] : reasons) {
      std::cout << "  refused, as profile llama.cpp says: " << rule << ' ' << count << '\n';
    }
    EXPECT_GE(loaded_ * 100, files_.size() * 99);
  }

 private:
  std::vector<File> files_;
  std::vector<Answer> answers_;
  std::size_t loaded_ = 0;
};

TEST_F(MutatorTest, ConsistentMutantsLoad) {
  Ask(mutate::Mode::kConsistent);
  Print("consistent");
  ExpectLoads();
}

TEST_F(MutatorTest, GeneratedFilesLoad) {
  Ask(mutate::Mode::kGenerate);
  Print("generate");
  ExpectLoads();
}

TEST_F(MutatorTest, PartOfTheMixedScheduleLoads) {
  Ask(mutate::Mode::kMixed);
  Print("mixed schedule");
  EXPECT_GE(Share(), 50);
  EXPECT_LE(Share(), 70);
}

}  // namespace
}  // namespace ggufgate::testing

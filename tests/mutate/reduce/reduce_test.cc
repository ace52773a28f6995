#include "mutate/reduce/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "mutate/file/attach.h"
#include "parse/parse.h"
#include "tests/mutate/seed_files.h"
#include "tests/support/judge.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kReducedRoom = std::size_t{1} << 18;

// Minimise reduces a file as long as parts can be removed and `wanted` stays true, like a fuzzer's
// trimming.
File Minimise(File file, const std::function<bool(const File&)>& wanted) {
  Reducer reducer(kReducedRoom);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t step = 0; step < reducer.Count(file); ++step) {
      const auto made = reducer.Make(file, step);
      if (!made) continue;
      const File smaller(made->begin(), made->end());
      if (!wanted(smaller)) continue;
      again = again || smaller.size() < file.size();
      file = smaller;
    }
  }
  return file;
}

TEST(Reduce, NeverGrowsNeverGivesTheInputBackAndIsTheSameTwice) {
  Reducer reducer(kReducedRoom);
  Reducer other(kReducedRoom);
  std::uint64_t smaller = 0;
  for (const File& file : CorpusFiles(16384)) {
    const std::size_t count = reducer.Count(file);
    const std::size_t stride = count / Rounds(count + 1) + 1;
    for (std::size_t step = 0; step < count; step += stride) {
      const auto made = reducer.Make(file, step);
      if (!made) continue;
      ASSERT_LE(made->size(), file.size()) << step;
      ASSERT_FALSE(std::ranges::equal(*made, file)) << step;
      smaller += made->size() < file.size();
      const auto again = other.Make(file, step);
      ASSERT_TRUE(again && std::ranges::equal(*made, *again)) << step;
    }
    EXPECT_EQ(reducer.Make(file, count), std::nullopt);
  }
  EXPECT_GT(smaller, 200U);
}

TEST(Reduce, BrokenFilesToo) {
  const std::vector<File> files = CorpusFiles(4096);
  Mutator mutator(kReducedRoom);
  Reducer reducer(kReducedRoom);
  std::uint64_t made = 0;
  for (std::uint64_t i = 0; i < Rounds(200'000); ++i) {
    const Mutant mutant = mutator.Make({.input = files[i % files.size()],
                                        .mode = i % 2 == 0 ? Mode::kSemi : Mode::kRaw,
                                        .seed = i,
                                        .max_size = 4096});
    const std::size_t count = reducer.Count(mutant.bytes);
    const auto reduced = reducer.Make(mutant.bytes, i * 31 % count);
    if (!reduced) continue;
    ++made;
    ASSERT_LE(reduced->size(), mutant.bytes.size()) << i;
    ASSERT_FALSE(std::ranges::equal(*reduced, mutant.bytes)) << i;
  }
  EXPECT_GT(made, Rounds(200'000) / 4);
}

// If a tensor is removed, so are its data; the others keep theirs, and the file stays valid.
TEST(Reduce, TensorsKeepTheirData) {
  const std::vector<File> files = CorpusFiles(16384);
  Reducer reducer(kReducedRoom);
  Draft before;
  Draft after;
  std::uint64_t dropped = 0;
  for (const File& file : files) {
    if (!testing::Judge(file).Accepted()) continue;
    TakeApart(file, before);
    AttachData(before);
    if (before.tensors.size() < 2) continue;
    for (std::size_t step = 0; step < reducer.Count(file); ++step) {
      const auto made = reducer.Make(file, step);
      if (!made) continue;
      TakeApart(*made, after);
      if (after.tensors.size() >= before.tensors.size() || after.tensors.empty()) continue;
      AttachData(after);
      ++dropped;
      for (const Tensor& tensor : after.tensors) {
        const auto* const old = &*std::ranges::find(before.tensors, tensor.name, &Tensor::name);
        ASSERT_TRUE(std::ranges::equal(tensor.data, old->data)) << tensor.name << ' ' << step;
      }
      ASSERT_EQ(Parse(*made, made->size(), {}).document.fault, std::nullopt) << step;
    }
  }
  EXPECT_GT(dropped, 50U);
}

TEST(Reduce, LeavesOfARejectedFileWhatItIsRejectedFor) {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t files = 0;
  for (const File& file : CorpusFiles(8192)) {
    const testing::Judged judged = testing::Judge(file);
    if (judged.Accepted() || ++files % 5 != 0) continue;
    const std::vector<std::string> rules = judged.AllRules(Severity::kError);
    const File least = Minimise(file, [&](const File& smaller) {
      const testing::Judged again = testing::Judge(smaller);
      return !again.Accepted() && again.AllRules(Severity::kError) == rules;
    });
    before += file.size();
    after += least.size();
    ASSERT_EQ(testing::Judge(least).AllRules(Severity::kError), rules);
  }
  EXPECT_LT(after, before / 2) << before;
}

}  // namespace
}  // namespace ggufgate::mutate

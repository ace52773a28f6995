#include "parse/front/front_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "parse/model.h"

namespace ggufgate {
namespace {

constexpr std::array kGrowths = {kFileGrowth, kFarGrowth, kPipeGrowth, kModuleGrowth};

// OfSize returns a file with about `bytes` of metadata, and as much data.
std::vector<std::uint8_t> OfSize(std::size_t bytes) {
  Model model = Model::Minimal();
  model.Set("words", std::vector<std::string>(bytes / 100, std::string(92, 'x')));
  model.Add("t", TensorType::kI8, {bytes + 1});
  return Write(model);
}

// Fronts returns the requested sizes; the last one contained the metadata.
std::vector<std::uint64_t> Fronts(Bytes file, const Limits& limits, const FrontGrowth& growth) {
  FrontSteps steps(file.size(), limits, growth);
  std::vector<std::uint64_t> fronts;
  while (true) {
    const std::uint64_t wanted = steps.wanted();
    EXPECT_LE(wanted, file.size());
    EXPECT_GE(steps.room(), wanted);
    if (!fronts.empty()) {
      EXPECT_GE(wanted, steps.needed());
      EXPECT_GT(wanted, fronts.back());
      EXPECT_LE(wanted, limits.metadata_bytes);
      if (wanted <= fronts.back()) return fronts;
    }
    fronts.push_back(wanted);
    if (steps.Give(file.first(wanted), file.size())) return fronts;
  }
}

TEST(FrontSteps, TheFirstFrontIsEnoughForFewMetadata) {
  const std::vector<std::uint8_t> file = OfSize(1000);
  for (const FrontGrowth& growth : kGrowths) {
    EXPECT_EQ(Fronts(file, {}, growth), std::vector<std::uint64_t>{file.size()});
  }
}

TEST(FrontSteps, GrowAsTheReaderWants) {
  const std::vector<std::uint8_t> file = OfSize(9'000'000);
  const std::uint64_t size = file.size();
  const std::vector<std::uint64_t> near = Fronts(file, {}, kFileGrowth);
  EXPECT_EQ(near.size(), 6U);
  EXPECT_LE(near.back(), 9'000'000U + (1U << 18U)) << "the estimate is close";
  EXPECT_LT(near.back(), size);
  EXPECT_EQ(Fronts(file, {}, kModuleGrowth),
            (std::vector<std::uint64_t>{65'536, 8'388'608, 16'777'216}));
  EXPECT_EQ(Fronts(file, {}, kPipeGrowth).size(), 5U);
  const std::vector<std::uint64_t> far = Fronts(file, {}, kFarGrowth);
  EXPECT_LT(far.back(), 10'000'000U) << "bytes are dear";
}

// Keys and short arrays are read again each time, so the front grows by a multiple of them.
TEST(FrontSteps, ReadFewBytesAgain) {
  Model model = Model::Minimal();
  for (int i = 0; i < 3'000; ++i) {
    model.Set("key." + std::to_string(i), std::vector<std::string>(30, "words"));
  }
  model.Add("t", TensorType::kI8, {10'000'000});
  const std::vector<std::uint8_t> file = Write(model);
  EXPECT_EQ(Fronts(file, {}, kFileGrowth).size(), 3U);
}

// A module in a browser gets the whole front again, and it may have changed.
TEST(FrontSteps, CheckAFrontThatTheCallerDoesNotKeep) {
  std::vector<std::uint8_t> file = OfSize(9'000'000);
  const Limits limits;
  FrontSteps steps(file.size(), limits, kModuleGrowth);
  ASSERT_FALSE(steps.Give(Bytes(file).first(steps.wanted()), file.size()));
  std::ranges::fill(std::span(file).subspan(30'000, 200), std::uint8_t{0xFF});
  const std::optional<Document> document = steps.Give(file, file.size());
  ASSERT_TRUE(document);
  EXPECT_TRUE(document->fault);
}

TEST(FrontSteps, WantNoMoreThanTheLimitOfMetadata) {
  const std::vector<std::uint8_t> file = OfSize(9'000'000);
  Limits limits;
  limits.metadata_bytes = 3'000'000;
  for (const FrontGrowth& growth : kGrowths)
    EXPECT_LE(Fronts(file, limits, growth).back(), 3'000'000U);
}

TEST(FrontSteps, ACountThatCannotBeWantsNothing) {
  Model model = Model::Minimal();
  std::vector<std::uint8_t> file = Write(model);
  std::ranges::fill(std::span(file).subspan(16, 7), std::uint8_t{0xFF});  // the number of keys
  file.resize(file.size() + 1'000'000);
  for (const FrontGrowth& growth : kGrowths) EXPECT_EQ(Fronts(file, {}, growth).size(), 1U);
}

}  // namespace
}  // namespace ggufgate

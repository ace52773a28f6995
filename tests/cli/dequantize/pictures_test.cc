// dequantize --stats --format html and svg: what is counted for the pictures, and the command.

#include "cli/dequantize/pictures.h"

#include <gmock/gmock.h>

#include <numeric>
#include <string>

#include "bytes/memory_source.h"
#include "cli/dequantize/scales.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "tests/support/command.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

std::uint64_t Sum(const std::array<std::uint64_t, WeightPicture::kBins>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// A thousand values of which all but one are ±1, and one is `far`.
std::vector<std::uint8_t> WithOneValue(float far) {
  Model model = Model::Minimal();
  Model::Tensor& tensor = model.Add("blk.0.a", TensorType::kF32, {1000});
  for (std::size_t i = 0; i < 1000; ++i) {
    const float value = i == 500 ? far : i % 2 == 0 ? 1.0F : -1.0F;
    Store(value, ByteOrder::kLittle, MutableBytes(tensor.data).subspan(4 * i));
  }
  return Write(model);
}

WeightPicture PictureOf(const std::vector<std::uint8_t>& file) {
  const MemorySource source(file);
  const Document document = Parse(file, file.size(), Limits{}).document;
  const auto statistics = StatisticsOfAll(document, source, 2);
  EXPECT_TRUE(statistics.ok());
  const auto pictures = PicturesOf(document, source, *statistics, 2);
  EXPECT_TRUE(pictures.ok());
  return pictures->back();
}

TEST(PicturesOf, CountsOutliersAndEveryValueOnce) {
  const WeightPicture far = PictureOf(WithOneValue(20));
  EXPECT_EQ(far.outliers, 1U);
  EXPECT_EQ(Sum(far.bins), 1000U);
  EXPECT_EQ(far.bins.back(), 1U);
  const WeightPicture near = PictureOf(WithOneValue(5));
  EXPECT_EQ(near.outliers, 0U);
  EXPECT_EQ(Sum(near.bins), 1000U);
}

// A tensor of Q4_0 has one f16 a block at its beginning.
WeightPicture ScalesOf(ByteOrder order, std::vector<std::uint16_t> halves) {
  std::vector<std::uint8_t> file(18 * halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    Store(halves.at(i), order, MutableBytes(file).subspan(18 * i));
  }
  WeightPicture picture;
  const TensorTypeInfo& type = *FindTensorType(IdOf(TensorType::kQ4_0));
  EXPECT_TRUE(CountScales(MemorySource(file), type, order, {0, file.size()}, picture).ok());
  return picture;
}

TEST(CountScales, CountsByPowersOfTwoInBothByteOrders) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    // 1, -1.5, 2^-3, zero, NaN
    const WeightPicture picture = ScalesOf(order, {0x3C00, 0xBE00, 0x3000, 0x0000, 0x7E00});
    EXPECT_EQ(picture.scales, 5U);
    EXPECT_EQ(picture.zero_scales, 1U);
    EXPECT_EQ(picture.scale_bins.at(32), 1U);
    EXPECT_EQ(picture.scale_bins.at(33), 1U);
    EXPECT_EQ(picture.scale_bins.at(26), 1U);
    EXPECT_EQ(Sum(picture.scale_bins), 3U);
  }
}

TEST(CountScales, KnowsEveryTypeAndNeverReadsBeyondABlock) {
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    const std::vector<std::uint8_t> block(type.block_bytes, 0x11);
    WeightPicture picture;
    EXPECT_TRUE(
        CountScales(MemorySource(block), type, ByteOrder::kLittle, {0, block.size()}, picture)
            .ok());
    if (type.quantised) {
      EXPECT_GT(picture.scales, 0U) << type.name;
    }
    EXPECT_EQ(Sum(picture.scale_bins), picture.scales) << type.name;
  }
}

TEST(Pictures, AreDrawnOfAllTensorsOrOne) {
  const TempFolder folder;
  const std::string path = folder.Write("a.gguf", WithOneValue(20));
  const CommandResult html = RunCommand({"dequantize", "--stats", "-f", "html", path});
  EXPECT_EQ(html.exit_code, 0);
  EXPECT_THAT(html.out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(html.out, HasSubstr("2 tensors"));
  const CommandResult one = RunCommand({"dequantize", "--stats", "-f", "svg", path, "blk.0.a"});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_THAT(one.out, StartsWith("<svg "));
  EXPECT_THAT(one.out, HasSubstr("Histograms of 1 tensor."));
  EXPECT_EQ(RunCommand({"dequantize", "--stats", "-f", "svg", "--rows", "0:1", path, "blk.0.a"})
                .exit_code,
            2);
}

}  // namespace
}  // namespace ggufgate::testing

#include "parse/regions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/oracles/parse_same.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using RegionKind = Region::Kind;

std::vector<RegionKind> RegionKinds(const std::vector<Region>& regions) {
  std::vector<RegionKind> kinds;
  for (const Region& region : regions) kinds.push_back(region.kind);
  return kinds;
}

// TwoTensors returns a model whose directory ends at 126, with tensors of 5 and 16 bytes: at
// 128..133 and 160..176.
Model TwoTensors() {
  Model model;
  model.Set("k", std::uint8_t{1});
  model.Add("first.weight", TensorType::kI8, {5});
  model.Add("secondweight", TensorType::kI8, {16});
  return model;
}

constexpr std::uint64_t kDirectoryEnd = 24 + 14 + 2 * (8 + 12 + 4 + 8 + 4 + 8);

TEST(Regions, ASoundFileIsTiledByWhatBelongsThere) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Parsed parsed = ParseSound(named.model);
    const std::vector<Region> regions = Regions(parsed.document);
    EXPECT_TRUE(Tile(regions, parsed.file.size()));
    for (const Region& region : regions) {
      EXPECT_NE(region.kind, RegionKind::kGap);
      EXPECT_NE(region.kind, RegionKind::kTrailing);
      EXPECT_NE(region.kind, RegionKind::kUnread);
      EXPECT_GT(region.range.size, 0U);
    }
  }
}

TEST(Regions, ExtentsAtHandMakeNoDifference) {
  const auto same = [](const Region& a, const Region& b) {
    return a.kind == b.kind && a.range == b.range && a.index == b.index;
  };
  for (const NamedModel& named : SoundModels()) {
    const Parsed parsed = ParseSound(named.model);
    const std::vector<Extent> extents = ExtentsOf(parsed.document);
    EXPECT_TRUE(
        std::ranges::equal(Regions(parsed.document), Regions(parsed.document, extents), same))
        << named.name;
  }
}

TEST(Regions, PaddingIsZeroAndDataIsNot) {
  for (const NamedModel& named : SoundModels()) {
    SCOPED_TRACE(named.name);
    const Parsed parsed = ParseSound(named.model);
    for (const Region& region : Regions(parsed.document)) {
      const Bytes bytes = parsed.document.BytesAt(region.range);
      const auto zeros = std::ranges::count(bytes, 0);
      if (region.kind == RegionKind::kPadding) {
        EXPECT_EQ(zeros, std::ssize(bytes));
      } else if (region.kind == RegionKind::kTensorData) {
        EXPECT_EQ(zeros, 0);
      }
    }
  }
}

TEST(Regions, EachRecordHasItsIndexAndRange) {
  const Parsed parsed = ParseSound(TwoTensors());
  ASSERT_EQ(parsed.document.directory_end, kDirectoryEnd);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_EQ(RegionKinds(regions),
            (std::vector<RegionKind>{
                RegionKind::kHeader, RegionKind::kMetadata, RegionKind::kTensorInfo,
                RegionKind::kTensorInfo, RegionKind::kPadding, RegionKind::kTensorData,
                RegionKind::kPadding, RegionKind::kTensorData, RegionKind::kPadding}));
  EXPECT_EQ(regions.at(0).range, (ByteRange{.begin = 0, .size = 24}));
  EXPECT_EQ(regions.at(1).range, (ByteRange{.begin = 24, .size = 14}));
  EXPECT_EQ(regions.at(2).range, (ByteRange{.begin = 38, .size = 44}));
  EXPECT_EQ(regions.at(3).index, 1U);
  EXPECT_EQ(regions.at(4).range, ByteRange::Between(126, 128));
  EXPECT_EQ(regions.at(5).range, ByteRange::Between(128, 133));
  EXPECT_EQ(regions.at(7).range, ByteRange::Between(160, 176));
  EXPECT_EQ(regions.at(7).index, 1U);
  EXPECT_EQ(regions.at(8).range, ByteRange::Between(176, 192));
}

TEST(Regions, MoreRoomThanPaddingExplainsIsAGap) {
  Model model = TwoTensors();
  model.tensors.back().offset = 96;  // 64 bytes late
  model.tensors.back().data.resize(16 + 64);
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_TRUE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(regions.at(6).kind, RegionKind::kPadding);
  EXPECT_EQ(regions.at(6).range, ByteRange::Between(133, 160));
  EXPECT_EQ(regions.at(7).kind, RegionKind::kGap);
  EXPECT_EQ(regions.at(7).range, ByteRange::Between(160, 224));
  EXPECT_EQ(regions.at(8).kind, RegionKind::kTensorData);
}

TEST(Regions, BytesAfterTheLastPaddingTrail) {
  Model model = TwoTensors();
  model.trailing = File(3, 'x');
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_TRUE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(regions.back().kind, RegionKind::kTrailing);
  EXPECT_EQ(regions.back().range, ByteRange::Between(192, 195));
}

TEST(Regions, BytesUpToTheLastAlignmentArePadding) {
  Model model = TwoTensors();
  model.pad_last_tensor = false;
  EXPECT_EQ(Regions(ParseSound(model).document).back().kind, RegionKind::kTensorData);
  model.trailing = File(15, 'x');
  EXPECT_EQ(Regions(ParseSound(model).document).back().kind, RegionKind::kPadding);
  EXPECT_EQ(Regions(ParseSound(model).document).back().range, ByteRange::Between(176, 191));
}

TEST(Regions, WithoutTensorsPaddingAndThenTrailingBytesFollowTheMetadata) {
  Model model;
  model.Set("k", std::uint8_t{1});
  EXPECT_EQ(RegionKinds(Regions(ParseSound(model).document)),
            (std::vector<RegionKind>{RegionKind::kHeader, RegionKind::kMetadata}));
  model.trailing = File(26);  // from 38 to 64: written there by gguf_write_to_file
  EXPECT_EQ(Regions(ParseSound(model).document).back().kind, RegionKind::kPadding);
  model.trailing.push_back(0);
  const Parsed parsed = ParseSound(model);
  EXPECT_EQ(Regions(parsed.document).back().kind, RegionKind::kTrailing);
  EXPECT_EQ(Regions(parsed.document).back().range, ByteRange::Between(64, 65));
}

TEST(Regions, OverlappingTensorsHaveOverlappingRegions) {
  Model model = TwoTensors();
  model.tensors.back().offset = 0;
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_FALSE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(regions.at(5).range, ByteRange::Between(128, 133));
  EXPECT_EQ(regions.at(6).range, ByteRange::Between(128, 144));
  EXPECT_EQ(regions.back().range.End(), parsed.file.size());
}

TEST(Regions, ATensorInsideAnotherDoesNotEndTheOtherEarly) {
  Model model = TwoTensors();
  std::swap(model.tensors.front().dims, model.tensors.back().dims);  // 16 bytes, and 5 in their
  std::swap(model.tensors.front().data, model.tensors.back().data);  // middle
  model.tensors.back().offset = 8;
  const std::vector<Region> regions = Regions(ParseSound(model).document);
  EXPECT_EQ(regions.at(5).range, ByteRange::Between(128, 144));
  EXPECT_EQ(regions.at(6).range, ByteRange::Between(136, 141));
  EXPECT_EQ(regions.at(7).kind, RegionKind::kPadding);
  EXPECT_EQ(regions.at(7).range.begin, 144U);
}

TEST(Regions, DataComeInFileOrderAndNotInThatOfTheDirectory) {
  Model model = TwoTensors();
  model.tensors.front().offset = 32;
  model.tensors.back().offset = 0;
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_TRUE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(regions.at(5).index, 1U);
  EXPECT_EQ(regions.at(7).index, 0U);
}

TEST(Regions, DataAreCutAtTheEndOfTheFile) {
  const File whole = Write(TwoTensors());
  for (std::size_t size = kDirectoryEnd; size <= whole.size(); ++size) {
    const Parsed parsed = ParseWhole(PrefixOf(whole, size));
    ASSERT_FALSE(parsed.document.fault);
    const std::vector<Region> regions = Regions(parsed.document);
    ASSERT_TRUE(Tile(regions, size)) << size;
    for (const Region& region : regions) ASSERT_GT(region.range.size, 0U) << size;
  }
  const Parsed parsed = ParseWhole(PrefixOf(whole, 170));
  EXPECT_EQ(Regions(parsed.document).back().kind, RegionKind::kTensorData);
  EXPECT_EQ(Regions(parsed.document).back().range, ByteRange::Between(160, 170));
}

TEST(Regions, TensorsOutsideTheFileOrWithoutASizeAreLeftOut) {
  Model model = TwoTensors();
  model.tensors.back().offset = std::uint64_t{1} << 62;
  const auto count = [](const Model& any) {
    return std::ranges::count(RegionKinds(Regions(ParseSound(any).document)),
                              RegionKind::kTensorData);
  };
  EXPECT_EQ(count(model), 1);
  model.tensors.back().offset = UINT64_MAX;
  EXPECT_EQ(count(model), 1);
  model.tensors.back().offset = 32;
  EXPECT_EQ(count(model), 2);
  model.tensors.back().type_id = 4;
  EXPECT_EQ(count(model), 1);
  model.tensors.back().type_id = 24;
  model.tensors.back().dims = {0};
  EXPECT_EQ(count(model), 1);
}

TEST(Regions, WhatLiesBehindAFaultIsUnread) {
  Model model = TwoTensors();
  model.tensors.back().claimed_dimension_count = 6;
  const Parsed parsed = ParseWhole(model);
  ASSERT_TRUE(parsed.document.fault);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_TRUE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(RegionKinds(regions),
            (std::vector<RegionKind>{RegionKind::kHeader, RegionKind::kMetadata,
                                     RegionKind::kTensorInfo, RegionKind::kUnread}));
}

TEST(Regions, WithoutAnAlignmentNobodyKnowsWhereTheDataAre) {
  Model model = TwoTensors();
  model.Set(kAlignmentKey, std::uint32_t{0});
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_TRUE(Tile(regions, parsed.file.size()));
  EXPECT_EQ(regions.back().kind, RegionKind::kUnread);
  EXPECT_EQ(regions.back().range.begin, parsed.document.directory_end);
}

TEST(Regions, AFileOfAnySizeIsTiled) {
  const File whole = Write(TwoTensors());
  for (std::size_t size = 0; size < kDirectoryEnd; ++size) {
    const Parsed parsed = ParseWhole(PrefixOf(whole, size));
    ASSERT_TRUE(parsed.document.fault);
    const std::vector<Region> regions = Regions(parsed.document);
    ASSERT_TRUE(Tile(regions, size)) << size;
    ASSERT_EQ(regions.front().kind, RegionKind::kHeader);
    const bool all_was_read = size <= kHeaderBytes || parsed.document.directory_end == size;
    ASSERT_EQ(regions.back().kind != RegionKind::kUnread, all_was_read) << size;
  }
}

TEST(Regions, EveryKindHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const RegionKind kind :
       {RegionKind::kHeader, RegionKind::kMetadata, RegionKind::kTensorInfo, RegionKind::kPadding,
        RegionKind::kTensorData, RegionKind::kGap, RegionKind::kTrailing, RegionKind::kUnread}) {
    EXPECT_FALSE(WordFor(kind).empty());
    words.insert(WordFor(kind));
  }
  EXPECT_EQ(words.size(), 8U);
  EXPECT_EQ(WordFor(RegionKind::kTensorData), "tensor data");
}

}  // namespace
}  // namespace ggufgate::testing

#include "parse/parts.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/support/matchers.h"
#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Kind = Part::Kind;

std::vector<Part> AllOf(const Document& document, const Region& region, std::size_t page = 4) {
  std::vector<Part> all;
  std::uint64_t from = region.range.begin;
  while (from < region.range.End()) {
    const PartPage parts = PartsOf(document, region, from, page);
    all.insert(all.end(), parts.parts.begin(), parts.parts.end());
    if (parts.next <= from) {
      ADD_FAILURE() << "a page that leads nowhere, at " << from;
      break;
    }
    from = parts.next;
  }
  return all;
}

// SizesOf returns the sizes of the parts of the region that contains byte `offset`.
std::vector<std::uint64_t> SizesOf(const Parsed& parsed, std::uint64_t offset) {
  const std::vector<Region> regions = Regions(parsed.document);
  const Region* const region = RegionAt(regions, offset);
  std::vector<std::uint64_t> sizes;
  if (region == nullptr) return sizes;
  for (const Part& part : AllOf(parsed.document, *region)) sizes.push_back(part.range.size);
  return sizes;
}

std::vector<Kind> KindsOf(const std::vector<Part>& parts) {
  std::vector<Kind> kinds;
  for (const Part& part : parts) kinds.push_back(part.kind);
  return kinds;
}

// UnreadOf returns the parts after the fault.
std::vector<Part> UnreadOf(const Parsed& parsed) {
  EXPECT_TRUE(parsed.document.fault);
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_EQ(regions.back().kind, Region::Kind::kUnread);
  return AllOf(parsed.document, regions.back());
}

TEST(Parts, AHeaderHasFourFields) {
  const Parsed parsed = ParseSound(Model::Minimal());
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_THAT(KindsOf(AllOf(parsed.document, regions.front())),
              ElementsAre(Kind::kMagic, Kind::kVersion, Kind::kTensorCount, Kind::kKeyCount));
  EXPECT_THAT(SizesOf(parsed, 0), ElementsAre(4, 4, 8, 8));
}

TEST(Parts, AfterAWrongMagicTheHeaderHasNoMeaning) {
  Model model = Model::Minimal();
  model.magic = "GGML";
  const Parsed parsed = ParseWhole(model);
  EXPECT_THAT(SizesOf(parsed, 0), ElementsAre(4, 20));
  model.magic = kMagic;
  EXPECT_THAT(SizesOf(ParseSound(model), 0), ElementsAre(4, 4, 8, 8));
}

TEST(Parts, AfterAWrongVersionTheCountsHaveNoMeaning) {
  Model model = Model::Minimal();
  model.version = 4;
  EXPECT_THAT(SizesOf(ParseWhole(model), 0), ElementsAre(4, 4, 16));
  model.version = 3;
  EXPECT_THAT(SizesOf(ParseSound(model), 0), ElementsAre(4, 4, 8, 8));
}

TEST(Parts, AFileOfLessThanAMagicIsTakenApartToItsEnd) {
  EXPECT_THAT(SizesOf(ParseWhole(File{'G', 'G'}), 0), ElementsAre(2));
  EXPECT_THAT(SizesOf(ParseWhole(File{'G', 'G', 'U', 'F', 3, 0}), 0), ElementsAre(4, 2));
  EXPECT_THAT(SizesOf(ParseWhole(File{}), 0), IsEmpty());
}

TEST(Parts, AKeyHasLengthNameTypeAndValue) {
  EXPECT_THAT(SizesOf(ParseSound(Model().Set("key", std::uint16_t{1})), 24),
              ElementsAre(8, 3, 4, 2));
  EXPECT_THAT(SizesOf(ParseSound(Model().Set("key", "text")), 24), ElementsAre(8, 3, 4, 8, 4));
  EXPECT_THAT(SizesOf(ParseSound(Model().Set("key", "")), 24), ElementsAre(8, 3, 4, 8));
  EXPECT_THAT(SizesOf(ParseSound(Model().Set("key", std::vector<std::string>{"a", "", "cde"})), 24),
              ElementsAre(8, 3, 4, 4, 8, 8, 1, 8, 8, 3));
}

TEST(Parts, ElementsOfANestedArrayKnowWhereTheyAre) {
  Encoder payload(ByteOrder::kLittle);
  payload.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{2});
  payload.Put(IdOf(ValueType::kU8)).Put(std::uint64_t{0});
  payload.Put(IdOf(ValueType::kString)).Put(std::uint64_t{2});
  payload.PutString("").PutString("x");
  Model model;
  model.SetRaw("k", ValueType::kArray, payload.Take());
  Limits limits;
  limits.array_depth = 2;
  const Parsed parsed = ParseSound(model, limits);
  const std::vector<Region> regions = Regions(parsed.document);
  const std::vector<Part> parts = AllOf(parsed.document, regions.at(1), 1);
  EXPECT_THAT(SizesOf(parsed, 24), ElementsAre(8, 1, 4, 4, 8, 4, 8, 4, 8, 8, 8, 1));
  ASSERT_EQ(parts.size(), 12U);
  EXPECT_EQ(parts.at(4).depth, 0U);
  EXPECT_EQ(parts.at(7).kind, Kind::kElementType);
  EXPECT_EQ(parts.at(7).depth, 1U);
  EXPECT_EQ(parts.at(7).index, 1U);
  EXPECT_EQ(parts.back().depth, 2U);
  EXPECT_EQ(parts.back().index, 1U);
  EXPECT_EQ(parts.back().outermost_index, 1U);
}

TEST(Parts, ATensorRecordHasItsFields) {
  Model model;
  model.Add("weight", TensorType::kF32, {8, 2});
  EXPECT_THAT(SizesOf(ParseSound(model), 24), ElementsAre(8, 6, 4, 8, 8, 4, 8));
}

TEST(Parts, TensorDataComeInBlocks) {
  Model model;
  model.Add("weight", TensorType::kQ4_0, {64, 2});
  const Parsed parsed = ParseSound(model);
  EXPECT_THAT(SizesOf(parsed, *parsed.document.data_begin), ElementsAre(18, 18, 18, 18));
}

TEST(Parts, APageBeginsWithThePartThatHoldsTheByte) {
  Model model;
  model.Add("weight", TensorType::kQ4_0, {64, 2});
  const Parsed parsed = ParseSound(model);
  const std::vector<Region> regions = Regions(parsed.document);
  const std::uint64_t begin = *parsed.document.data_begin;
  const Region& data = *RegionAt(regions, begin);
  const PartPage page = PartsOf(parsed.document, data, begin + 18 + 17, 1);
  ASSERT_EQ(page.parts.size(), 1U);
  EXPECT_EQ(page.parts.front().range, (ByteRange{begin + 18, 18}));
  EXPECT_EQ(page.parts.front().index, 1U);
  EXPECT_EQ(page.next, begin + 36);
  EXPECT_THAT(PartsOf(parsed.document, data, data.range.End(), 1).parts, IsEmpty());
}

TEST(Parts, BehindAFaultTheRecordIsTakenApartUpToTheFieldThatIsWrong) {
  Model model = Model().Set("key", std::uint32_t{1});
  model.metadata.front().type = 99;
  const std::vector<Part> parts = UnreadOf(ParseWhole(model));
  EXPECT_THAT(KindsOf(parts),
              ElementsAre(Kind::kKeyLength, Kind::kKey, Kind::kValueType, Kind::kUnread));
  model.metadata.front().type = IdOf(ValueType::kU32);
  EXPECT_THAT(SizesOf(ParseSound(model), 24), ElementsAre(8, 3, 4, 4));
}

TEST(Parts, ATensorWithTooManyDimensionsEndsAtTheirCount) {
  Model model;
  model.Add("weight", TensorType::kF32, {8});
  model.tensors.front().claimed_dimension_count = kReadDimensions + 1;
  EXPECT_THAT(KindsOf(UnreadOf(ParseWhole(model))),
              ElementsAre(Kind::kNameLength, Kind::kName, Kind::kDimensionCount, Kind::kUnread));
}

TEST(Parts, ALengthThatLiesEndsTheRecord) {
  Model model = Model().Set("key", "text");
  model.metadata.front().claimed_key_length = UINT64_MAX;
  EXPECT_THAT(KindsOf(UnreadOf(ParseWhole(model))), ElementsAre(Kind::kKeyLength, Kind::kUnread));
}

TEST(RegionAt, FindsWhatHoldsTheByte) {
  const Parsed parsed = ParseSound(Model::Minimal());
  const std::vector<Region> regions = Regions(parsed.document);
  EXPECT_EQ(RegionAt(regions, 0), &regions.front());
  EXPECT_EQ(RegionAt(regions, 23), &regions.front());
  EXPECT_EQ(RegionAt(regions, 24), &regions.at(1));
  EXPECT_EQ(RegionAt(regions, parsed.file.size() - 1), &regions.back());
  EXPECT_EQ(RegionAt(regions, parsed.file.size()), nullptr);
}

}  // namespace
}  // namespace ggufgate::testing

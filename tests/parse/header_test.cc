#include <gtest/gtest.h>

#include "tests/support/parse_helpers.h"

namespace ggufgate::testing {
namespace {

using Section = Place::Section;

constexpr Place kHeaderPlace = {.section = Section::kHeader};

// WithVersion returns an empty file of 24 bytes with these four bytes as its version.
File WithVersion(std::array<std::uint8_t, 4> version) {
  File file = HeaderOf(0, 0).Take();
  std::ranges::copy(version, file.begin() + 4);
  return file;
}

TEST(Header, TheSmallestFileHas24Bytes) {
  const File file = HeaderOf(0, 0).Take();
  ASSERT_EQ(file.size(), 24U);
  EXPECT_EQ(FaultOf(file), "no fault");
  for (std::size_t size = 0; size < 24; ++size) {
    EXPECT_EQ(FaultOf(PrefixOf(file, size)), LineOf({.kind = FaultKind::kFileTooShort,
                                                     .where = {.begin = 0, .size = size},
                                                     .field = "header",
                                                     .observed = size,
                                                     .allowed = 24}));
  }
}

TEST(Header, OfAShortFileNothingButItsSizeIsSaid) {
  const Parsed parsed = ParseWhole(File(23, 'x'));
  EXPECT_EQ(parsed.document.version, 0U);
  EXPECT_EQ(parsed.document.directory_end, 0U);
  EXPECT_EQ(parsed.document.file_size, 23U);
}

TEST(Header, EachByteOfTheMagicCounts) {
  for (std::size_t i = 0; i < 4; ++i) {
    File file = HeaderOf(0, 0).Take();
    file.at(i) ^= 1;
    EXPECT_EQ(FaultOf(file), LineOf({.kind = FaultKind::kMagic,
                                     .where = {.begin = 0, .size = 4},
                                     .field = "magic",
                                     .place = kHeaderPlace,
                                     .observed = 0x4655'4747U ^ (1U << 8 * i),
                                     .allowed = 0}));
  }
}

TEST(Header, TheMagicIsNotReversedInABigEndianFile) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  EXPECT_EQ(FaultOf(model), "no fault");
  model.magic = "FUGG";
  EXPECT_NE(FaultOf(model), "no fault");
}

TEST(Header, Versions2And3AreRead) {
  for (const std::uint8_t version : {std::uint8_t{2}, std::uint8_t{3}}) {
    const Parsed parsed = ParseWhole(WithVersion({version, 0, 0, 0}));
    EXPECT_FALSE(parsed.document.fault);
    EXPECT_EQ(parsed.document.version, version);
    EXPECT_EQ(parsed.document.byte_order, ByteOrder::kLittle);
  }
}

TEST(Header, OtherVersionsAreAFaultThatNamesThem) {
  const auto expected = [](std::uint64_t observed) {
    return LineOf({.kind = FaultKind::kVersion,
                   .where = {.begin = 4, .size = 4},
                   .field = "version",
                   .place = kHeaderPlace,
                   .observed = observed,
                   .allowed = 3});
  };
  EXPECT_EQ(FaultOf(WithVersion({0, 0, 0, 0})), expected(0));
  EXPECT_EQ(FaultOf(WithVersion({1, 0, 0, 0})), expected(1));
  EXPECT_EQ(FaultOf(WithVersion({4, 0, 0, 0})), expected(4));
  EXPECT_EQ(FaultOf(WithVersion({3, 0, 0, 3})), expected(0x0300'0003));
  EXPECT_EQ(FaultOf(WithVersion({2, 1, 0, 0})), expected(0x102));
  EXPECT_EQ(FaultOf(WithVersion({255, 255, 255, 255})), expected(UINT32_MAX));
  EXPECT_EQ(FaultOf(WithVersion({0, 0, 0, 1})), expected(1)) << "version 1 in either byte order";
  EXPECT_EQ(FaultOf(WithVersion({0, 0, 0, 4})), expected(0x0400'0000));
}

TEST(Header, AByteSwappedVersionTellsTheByteOrder) {
  const Parsed parsed = ParseWhole(WithVersion({0, 0, 0, 3}));
  EXPECT_FALSE(parsed.document.fault);
  EXPECT_EQ(parsed.document.version, 3U);
  EXPECT_EQ(parsed.document.byte_order, ByteOrder::kBig);
}

TEST(Header, ThereIsNoBigEndianVersion2) {
  EXPECT_EQ(FaultOf(WithVersion({0, 0, 0, 2})), LineOf({.kind = FaultKind::kByteOrder,
                                                        .where = {.begin = 4, .size = 4},
                                                        .field = "version",
                                                        .place = kHeaderPlace,
                                                        .observed = 2,
                                                        .allowed = 3}));
}

TEST(Header, CountsAreReadInTheOrderOfTheFile) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    Model model = Model::Minimal();
    model.byte_order = order;
    model.metadata.clear();
    model.Set("a", std::uint8_t{1}).Set("b", std::uint8_t{2});
    const Parsed parsed = ParseSound(model);
    EXPECT_EQ(parsed.document.tensor_count, 1U);
    EXPECT_EQ(parsed.document.metadata_count, 2U);
  }
}

// A header with these counts and `room` bytes after it.
File Claims(std::uint64_t tensors, std::uint64_t keys, std::uint64_t room, ByteOrder order) {
  return HeaderOf(tensors, keys, order).PutZeros(room).Take();
}

Fault CountFault(FaultKind kind, std::uint64_t at, const char* field, std::uint64_t observed,
                 std::uint64_t allowed) {
  return {.kind = kind,
          .where = {.begin = at, .size = 8},
          .field = field,
          .place = kHeaderPlace,
          .observed = observed,
          .allowed = allowed};
}

TEST(Header, MoreTensorsThanTheFileCouldHoldAreAFault) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    EXPECT_EQ(FaultOf(Claims(2, 0, 48, order)), "no fault") << "24 bytes each";
    for (const std::uint64_t claimed : {std::uint64_t{2}, std::uint64_t{1} << 63, UINT64_MAX}) {
      EXPECT_EQ(FaultOf(Claims(claimed, 0, 47, order)),
                LineOf(CountFault(FaultKind::kTensorCount, 8, "tensor count", claimed, 1)));
    }
    EXPECT_EQ(FaultOf(Claims(1, 0, 0, order)),
              LineOf(CountFault(FaultKind::kTensorCount, 8, "tensor count", 1, 0)));
  }
}

TEST(Header, MoreKeysThanTheFileCouldHoldAreAFault) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    EXPECT_EQ(FaultOf(Claims(0, 2, 26, order)), "no fault") << "13 bytes each";
    for (const std::uint64_t claimed : {std::uint64_t{2}, std::uint64_t{1} << 63, UINT64_MAX}) {
      EXPECT_EQ(FaultOf(Claims(0, claimed, 25, order)),
                LineOf(CountFault(FaultKind::kMetadataCount, 16, "metadata count", claimed, 1)));
    }
  }
}

TEST(Header, AProductOfTheCountThatWrapsIsNoWayIn) {
  const std::uint64_t wraps_24 = UINT64_MAX / 24 + 1;  // times 24: 8
  const std::uint64_t wraps_13 = UINT64_MAX / 13 + 1;
  EXPECT_EQ(FaultOf(Claims(wraps_24, 0, 100, ByteOrder::kLittle)),
            LineOf(CountFault(FaultKind::kTensorCount, 8, "tensor count", wraps_24, 4)));
  EXPECT_EQ(FaultOf(Claims(0, wraps_13, 100, ByteOrder::kLittle)),
            LineOf(CountFault(FaultKind::kMetadataCount, 16, "metadata count", wraps_13, 7)));
}

TEST(Header, OfTwoWrongCountsTheFirstIsTold) {
  EXPECT_EQ(FaultOf(Claims(9, 9, 0, ByteOrder::kLittle)),
            LineOf(CountFault(FaultKind::kTensorCount, 8, "tensor count", 9, 0)));
}

TEST(Header, TheLimitsBoundBothCounts) {
  Limits limits;
  limits.tensors = 2;
  limits.metadata_keys = 3;
  EXPECT_EQ(FaultOf(Claims(2, 3, 500, ByteOrder::kLittle), limits), "no fault");

  Fault tensors = CountFault(FaultKind::kTensorCount, 8, "tensor count", 3, 2);
  tensors.by_limit = true;
  EXPECT_EQ(FaultOf(Claims(3, 3, 500, ByteOrder::kLittle), limits), LineOf(tensors));
  Fault keys = CountFault(FaultKind::kMetadataCount, 16, "metadata count", 4, 3);
  keys.by_limit = true;
  EXPECT_EQ(FaultOf(Claims(2, 4, 500, ByteOrder::kLittle), limits), LineOf(keys));
}

TEST(Header, ACountThatBreaksFileAndLimitIsAFactAboutTheFile) {
  Limits limits;
  limits.tensors = 2;
  EXPECT_EQ(FaultOf(Claims(9, 0, 0, ByteOrder::kLittle), limits),
            LineOf(CountFault(FaultKind::kTensorCount, 8, "tensor count", 9, 0)));
}

TEST(Header, ClaimedCountsStayInTheDocumentOfAFault) {
  const Parsed parsed = ParseWhole(Claims(1, 99, 24, ByteOrder::kLittle));
  ASSERT_TRUE(parsed.document.fault);
  EXPECT_EQ(parsed.document.tensor_count, 1U);
  EXPECT_EQ(parsed.document.metadata_count, 99U);
  EXPECT_EQ(parsed.document.directory_end, 24U);
  EXPECT_TRUE(parsed.document.metadata.empty());
}

}  // namespace
}  // namespace ggufgate::testing

#include "bytes/cursor.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace ggufgate {
namespace {

const std::vector<std::uint8_t> kTwelve = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

Cursor WholeFile(Bytes bytes) { return {bytes, bytes.size()}; }

template <typename T>
class ReadsEveryWidth : public ::testing::Test {};

using Widths =
    ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                     std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(ReadsEveryWidth, Widths);

TYPED_TEST(ReadsEveryWidth, TakesItsBytesAndMovesPastThem) {
  for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
    Cursor cursor = WholeFile(kTwelve);
    cursor.set_byte_order(order);
    ASSERT_TRUE(cursor.Skip(1, "first"));
    TypeParam value{};
    ASSERT_TRUE(cursor.Read(value, "number"));
    EXPECT_EQ(value, Load<TypeParam>(Bytes(kTwelve).subspan(1), order));
    EXPECT_EQ(cursor.offset(), 1 + sizeof(TypeParam));
    EXPECT_EQ(cursor.remaining(), kTwelve.size() - 1 - sizeof(TypeParam));
    EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kNone);
  }
}

TYPED_TEST(ReadsEveryWidth, NeedsItsLastByte) {
  const std::vector<std::uint8_t> exact(sizeof(TypeParam));
  TypeParam value{};
  Cursor enough = WholeFile(exact);
  EXPECT_TRUE(enough.Read(value, "number"));
  Cursor short_by_one = WholeFile(Bytes(exact).first(exact.size() - 1));
  EXPECT_FALSE(short_by_one.Read(value, "number"));
  EXPECT_EQ(short_by_one.shortfall().kind, Shortfall::Kind::kEndOfFile);
  EXPECT_EQ(short_by_one.shortfall().wanted, (ByteRange{.begin = 0, .size = sizeof(TypeParam)}));
}

TEST(Cursor, TheByteOrderOfTheMomentCounts) {
  Cursor cursor = WholeFile(kTwelve);
  EXPECT_EQ(cursor.byte_order(), ByteOrder::kLittle);
  std::uint16_t value = 0;
  ASSERT_TRUE(cursor.Read(value, "little"));
  EXPECT_EQ(value, 0x0100);
  cursor.set_byte_order(ByteOrder::kBig);
  ASSERT_TRUE(cursor.Read(value, "big"));
  EXPECT_EQ(value, 0x0203);
}

TEST(Cursor, ReadBytesShowsAViewOfTheFileItself) {
  Cursor cursor = WholeFile(kTwelve);
  ASSERT_TRUE(cursor.Skip(3, "head"));
  Bytes view;
  ASSERT_TRUE(cursor.ReadBytes(4, view, "body"));
  EXPECT_EQ(view.data(), Bytes(kTwelve).subspan(3).data());
  EXPECT_EQ(view.size(), 4U);
  EXPECT_EQ(cursor.offset(), 7U);
}

TEST(Cursor, TheLastByteOfTheFileCanBeRead) {
  Cursor cursor = WholeFile(kTwelve);
  EXPECT_TRUE(cursor.Skip(12, "all"));
  EXPECT_EQ(cursor.offset(), 12U);
  EXPECT_EQ(cursor.remaining(), 0U);
}

TEST(Cursor, AByteBehindTheFileIsEndOfFile) {
  Cursor cursor = WholeFile(kTwelve);
  ASSERT_TRUE(cursor.Skip(10, "head"));
  EXPECT_FALSE(cursor.Skip(3, "tail"));
  EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kEndOfFile);
  EXPECT_EQ(cursor.shortfall().wanted, (ByteRange{.begin = 10, .size = 3}));
  EXPECT_EQ(std::string_view(cursor.shortfall().field), "tail");
}

TEST(Cursor, AByteBehindThePrefixButInTheFileIsEndOfPrefix) {
  Cursor cursor(kTwelve, 13);
  ASSERT_TRUE(cursor.Skip(10, "head"));
  EXPECT_FALSE(cursor.Skip(3, "tail"));
  EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kEndOfPrefix);
  EXPECT_EQ(cursor.shortfall().wanted, (ByteRange{.begin = 10, .size = 3}));
}

TEST(Cursor, AnAbsurdSizeIsEndOfFileAndNeverWraps) {
  for (const std::uint64_t size : {std::uint64_t{14}, UINT64_MAX - 9, UINT64_MAX}) {
    Cursor cursor(kTwelve, 13);
    ASSERT_TRUE(cursor.Skip(10, "head"));
    EXPECT_FALSE(cursor.Skip(size, "tail"));
    EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kEndOfFile) << size;
    EXPECT_EQ(cursor.shortfall().wanted.size, size);
  }
}

TEST(Cursor, TheFirstShortfallSticks) {
  Cursor cursor = WholeFile(kTwelve);
  ASSERT_TRUE(cursor.Skip(10, "head"));
  std::uint32_t number = 77;
  EXPECT_FALSE(cursor.Read(number, "first"));
  EXPECT_EQ(number, 77U) << "a read that fails writes nothing";

  std::uint8_t byte = 0;
  Bytes view;
  EXPECT_FALSE(cursor.Read(byte, "second")) << "though two bytes would have been there";
  EXPECT_FALSE(cursor.ReadBytes(100, view, "third"));
  EXPECT_EQ(cursor.shortfall().wanted, (ByteRange{.begin = 10, .size = 4}));
  EXPECT_EQ(std::string_view(cursor.shortfall().field), "first");
  EXPECT_EQ(cursor.offset(), 10U) << "nothing more is consumed";
}

TEST(Cursor, EndOfPrefixSticksLikeEndOfFile) {
  Cursor cursor(kTwelve, 100);
  EXPECT_FALSE(cursor.Skip(13, "first"));
  EXPECT_FALSE(cursor.Skip(UINT64_MAX, "second"));
  EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kEndOfPrefix);
  EXPECT_EQ(cursor.shortfall().wanted.size, 13U);
}

TEST(Cursor, ReadingNothingAlwaysWorks) {
  Bytes view = kTwelve;
  Cursor empty = WholeFile({});
  EXPECT_TRUE(empty.ReadBytes(0, view, "nothing"));
  EXPECT_TRUE(view.empty());
  EXPECT_TRUE(empty.Skip(0, "nothing"));
  EXPECT_EQ(empty.shortfall().kind, Shortfall::Kind::kNone);

  Cursor at_end = WholeFile(kTwelve);
  ASSERT_TRUE(at_end.Skip(12, "all"));
  EXPECT_TRUE(at_end.ReadBytes(0, view, "nothing"));

  Cursor stopped = WholeFile(kTwelve);
  ASSERT_FALSE(stopped.Skip(13, "too much"));
  EXPECT_TRUE(stopped.Skip(0, "nothing"));
}

TEST(Cursor, AnEmptyFileHasNoByte) {
  Cursor cursor = WholeFile({});
  std::uint8_t byte = 0;
  EXPECT_FALSE(cursor.Read(byte, "byte"));
  EXPECT_EQ(cursor.shortfall().kind, Shortfall::Kind::kEndOfFile);
}

TEST(Cursor, RemainingCountsTheFileNotThePrefix) {
  Cursor cursor(kTwelve, 1'000);
  ASSERT_TRUE(cursor.Skip(5, "head"));
  EXPECT_EQ(cursor.offset(), 5U);
  EXPECT_EQ(cursor.remaining(), 995U);
  EXPECT_EQ(cursor.file_size(), 1'000U);
}

}  // namespace
}  // namespace ggufgate

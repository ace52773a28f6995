#include "mutate/scratch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ggufgate::mutate {
namespace {

TEST(Scratch, GivesPiecesThatDoNotMeet) {
  Scratch scratch(100);
  std::vector<MutableBytes> pieces;
  for (const std::size_t size : {1U, 40U, 7U, 52U}) {
    pieces.push_back(scratch.Take(size));
    ASSERT_EQ(pieces.back().size(), size);
  }
  EXPECT_EQ(scratch.Left(), 0U);
  std::uint8_t mark = 0;
  for (const MutableBytes piece : pieces) std::ranges::fill(piece, ++mark);
  mark = 0;
  for (const MutableBytes piece : pieces) {
    ++mark;
    EXPECT_EQ(std::ranges::count(piece, mark), std::ssize(piece)) << "written over by another";
  }
}

TEST(Scratch, GivesNothingWhenTooLittleIsLeft) {
  Scratch scratch(10);
  EXPECT_EQ(scratch.Take(4).size(), 4U);
  for (const std::size_t size : {std::size_t{7}, std::size_t{1000}, SIZE_MAX, SIZE_MAX - 3}) {
    EXPECT_TRUE(scratch.Take(size).empty()) << size;
    EXPECT_EQ(scratch.Left(), 6U) << "a refusal costs nothing: " << size;
  }
  EXPECT_TRUE(scratch.Take(0).empty());
  EXPECT_EQ(scratch.Take(6).size(), 6U);
  EXPECT_EQ(scratch.Left(), 0U);
  EXPECT_TRUE(scratch.Take(1).empty());
}

TEST(Scratch, TakesAllBackAtOnce) {
  Scratch scratch(8);
  const MutableBytes first = scratch.Take(8);
  EXPECT_TRUE(scratch.Take(1).empty());
  scratch.Reset();
  EXPECT_EQ(scratch.Left(), 8U);
  EXPECT_EQ(scratch.Take(8).data(), first.data()) << "the same memory again";
}

TEST(Scratch, CopiesWhatFits) {
  Scratch scratch(16);
  std::vector<std::uint8_t> bytes(10);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  const std::vector<std::uint8_t> before = bytes;
  const MutableBytes copy = scratch.Copy(Bytes(bytes));
  std::ranges::fill(bytes, std::uint8_t{0});
  EXPECT_TRUE(std::ranges::equal(copy, before)) << "a copy, not a view";
  EXPECT_TRUE(scratch.Copy(Bytes(bytes)).empty()) << "6 bytes are left";
  EXPECT_TRUE(scratch.Copy(Bytes()).empty());
  EXPECT_EQ(scratch.Left(), 6U);
}

TEST(Scratch, CopiesText) {
  Scratch scratch(8);
  std::string text = "blk.0";
  const std::string_view copy = scratch.Copy(text);
  text.assign(5, 'x');
  EXPECT_EQ(copy, "blk.0");
  EXPECT_EQ(scratch.Copy(std::string_view("four")), "") << "3 bytes are left";
  EXPECT_EQ(scratch.Copy(std::string_view("end")), "end");
}

TEST(Scratch, MayHaveNoRoomAtAll) {
  Scratch scratch(0);
  EXPECT_EQ(scratch.Left(), 0U);
  EXPECT_TRUE(scratch.Take(0).empty());
  EXPECT_TRUE(scratch.Take(1).empty());
  EXPECT_EQ(scratch.Copy(std::string_view("a")), "");
}

}  // namespace
}  // namespace ggufgate::mutate

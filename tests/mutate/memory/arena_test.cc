#include "mutate/memory/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace ggufgate::mutate {
namespace {

TEST(Arena, GivesPiecesThatDoNotMeet) {
  Arena arena(100);
  std::vector<MutableBytes> pieces;
  for (const std::size_t size : {1U, 40U, 7U, 52U}) {
    pieces.push_back(arena.Take(size));
    ASSERT_EQ(pieces.back().size(), size);
  }
  EXPECT_EQ(arena.Left(), 0U);
  std::uint8_t mark = 0;
  for (const MutableBytes piece : pieces) std::ranges::fill(piece, ++mark);
  mark = 0;
  for (const MutableBytes piece : pieces) {
    ++mark;
    EXPECT_EQ(std::ranges::count(piece, mark), std::ssize(piece)) << "written over by another";
  }
}

TEST(Arena, GivesNothingWhenTooLittleIsLeft) {
  Arena arena(10);
  EXPECT_EQ(arena.Take(4).size(), 4U);
  for (const std::size_t size : {std::size_t{7}, std::size_t{1000}, SIZE_MAX, SIZE_MAX - 3}) {
    EXPECT_TRUE(arena.Take(size).empty()) << size;
    EXPECT_EQ(arena.Left(), 6U) << "a refusal costs nothing: " << size;
  }
  EXPECT_TRUE(arena.Take(0).empty());
  EXPECT_EQ(arena.Take(6).size(), 6U);
  EXPECT_EQ(arena.Left(), 0U);
  EXPECT_TRUE(arena.Take(1).empty());
}

TEST(Arena, TakesAllBackAtOnce) {
  Arena arena(8);
  const MutableBytes first = arena.Take(8);
  EXPECT_TRUE(arena.Take(1).empty());
  arena.Reset();
  EXPECT_EQ(arena.Left(), 8U);
  EXPECT_EQ(arena.Take(8).data(), first.data()) << "the same memory again";
}

TEST(Arena, CopiesWhatFits) {
  Arena arena(16);
  std::vector<std::uint8_t> bytes(10);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  const std::vector<std::uint8_t> before = bytes;
  const MutableBytes copy = arena.Copy(Bytes(bytes));
  std::ranges::fill(bytes, std::uint8_t{0});
  EXPECT_TRUE(std::ranges::equal(copy, before)) << "a copy, not a view";
  EXPECT_TRUE(arena.Copy(Bytes(bytes)).empty()) << "6 bytes are left";
  EXPECT_TRUE(arena.Copy(Bytes()).empty());
  EXPECT_EQ(arena.Left(), 6U);
}

TEST(Arena, CopiesText) {
  Arena arena(8);
  std::string text = "blk.0";
  const std::string_view copy = arena.Copy(text);
  text.assign(5, 'x');
  EXPECT_EQ(copy, "blk.0");
  EXPECT_EQ(arena.Copy(std::string_view("four")), "") << "3 bytes are left";
  EXPECT_EQ(arena.Copy(std::string_view("end")), "end");
}

TEST(Arena, MayHaveNoRoomAtAll) {
  Arena arena(0);
  EXPECT_EQ(arena.Left(), 0U);
  EXPECT_TRUE(arena.Take(0).empty());
  EXPECT_TRUE(arena.Take(1).empty());
  EXPECT_EQ(arena.Copy(std::string_view("a")), "");
}

}  // namespace
}  // namespace ggufgate::mutate

#include "mutate/memory/fixed_vector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

static_assert(!std::is_copy_constructible_v<FixedVector<int>>, "it would view what is not its own");
static_assert(!std::is_copy_assignable_v<FixedVector<int>>, "it would view what is not its own");
static_assert(!std::is_move_constructible_v<FixedVector<int>>, "it would view what it had");

// Digits is a table of the numbers below `count`, with space for `room`.
struct Digits : FixedVector<int> {
  Digits(int count, std::size_t room) : FixedVector<int>(room) {
    for (int i = 0; i < count; ++i) EXPECT_TRUE(Add(i)) << i;
  }
};

TEST(FixedVector, TakesAsManyAsItHasRoomFor) {
  for (const int room : {0, 1, 2, 7, 1000}) {
    Digits table(room, static_cast<std::size_t>(room));
    EXPECT_TRUE(table.Full()) << room;
    EXPECT_FALSE(table.Add(-1)) << room;
    EXPECT_FALSE(table.Insert(0, -1)) << room;
    EXPECT_EQ(table.size(), static_cast<std::size_t>(room));
    EXPECT_THAT(table.Things(), ::testing::Each(::testing::Ge(0))) << "what was refused is not in";
  }
}

TEST(FixedVector, StaysWhereItIs) {
  FixedVector<int> table(100);
  ASSERT_TRUE(table.Add(1));
  const int* const first = &table[0];
  while (table.Add(2)) {
  }
  EXPECT_EQ(&table[0], first);
  table.Clear();
  EXPECT_TRUE(table.Add(3));
  EXPECT_EQ(&table[0], first) << "the room is kept";
}

TEST(FixedVector, InsertsBeforeAPlace) {
  Digits table(2, 5);
  EXPECT_TRUE(table.Insert(0, 10));
  EXPECT_TRUE(table.Insert(2, 11));
  EXPECT_TRUE(table.Insert(4, 12));  // the end is a valid position, too
  EXPECT_THAT(table.Things(), ElementsAre(10, 0, 11, 1, 12));
}

TEST(FixedVector, RemovesOne) {
  Digits table(4, 4);
  table.Remove(3);
  EXPECT_THAT(table.Things(), ElementsAre(0, 1, 2));
  table.Remove(0);
  EXPECT_THAT(table.Things(), ElementsAre(1, 2));
  EXPECT_FALSE(table.Full());
  EXPECT_TRUE(table.Add(7));
  EXPECT_THAT(table.Things(), ElementsAre(1, 2, 7));
}

TEST(FixedVector, KeepsWhatIsWantedInItsOrder) {
  Digits table(10, 10);
  table.Keep([](int& digit) {  // may change the element
    digit += 100;
    return digit % 3 == 0;
  });
  EXPECT_THAT(table.Things(), ElementsAre(102, 105, 108));
  table.Keep([](int) { return false; });
  EXPECT_TRUE(table.empty());
}

TEST(FixedVector, IsCutButNeverGrown) {
  Digits table(5, 8);
  table.Cut(6);
  table.Cut(5);
  EXPECT_EQ(table.size(), 5U);
  table.Cut(2);
  EXPECT_THAT(table.Things(), ElementsAre(0, 1));
  EXPECT_EQ(table.back(), 1);
  table.Cut(0);
  EXPECT_THAT(table.Things(), IsEmpty());
}

TEST(FixedVector, IsWalkedFromFrontToBack) {
  FixedVector<std::string> table(3);
  for (const char* word : {"a", "b", "c"}) ASSERT_TRUE(table.Add(word));
  for (std::string& word : table) word += word;
  std::string all;
  const FixedVector<std::string>& view = table;
  for (const std::string& word : view) all += word;
  EXPECT_EQ(all, "aabbcc");
  EXPECT_EQ(view[1], "bb");
}

}  // namespace
}  // namespace ggufgate::mutate

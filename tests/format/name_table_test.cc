#include "format/name_table.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace ggufgate {
namespace {

// With every length around those at which the hash reads names in another way.
constexpr std::array<std::string_view, 14> kNames = {"",
                                                     "a",
                                                     "ab",
                                                     "abc",
                                                     "abcd",
                                                     "abcdefg",
                                                     "abcdefgh",
                                                     "abcdefghi",
                                                     "bbcdefghi",
                                                     "abcdefghijk",
                                                     "abcdefghijklmno",
                                                     "abcdefghijklmnop",
                                                     "abcdefghijklmnopq",
                                                     "xbcdefghijklmnopqrstuvwxyz"};
constexpr std::string_view NameAt(std::uint16_t index) { return kNames.at(index); }
constexpr NameTable<NameAt, kNames.size()> kTable;
static_assert(kTable.unique());
static_assert(kTable.Find("abc") == 3, "names are found while the program is compiled, too");

TEST(NameTable, FindsEveryNameAndNoOther) {
  for (std::uint16_t i = 1; i < kNames.size(); ++i) {
    const std::string name(kNames.at(i));
    EXPECT_EQ(kTable.Find(name), i) << name;
    for (const std::string& other : {name + "!", "!" + name, name.substr(1) + "!"}) {
      EXPECT_EQ(kTable.Find(other), kTable.kNone) << other;
    }
  }
  EXPECT_EQ(kTable.Find(""), kTable.kNone) << "an empty name is none";
}

// All of them begin in one slot: their ends are equal, and they differ before those.
constexpr std::array<std::string_view, 3> kAlike = {"a.0123456789abcdef", "b.0123456789abcdef",
                                                    "c.0123456789abcdef"};
constexpr std::string_view AlikeAt(std::uint16_t index) { return kAlike.at(index); }
constexpr NameTable<AlikeAt, kAlike.size()> kAlikeTable;

TEST(NameTable, TellsNamesApartThatEndAlike) {
  for (std::uint16_t i = 0; i < kAlike.size(); ++i) {
    EXPECT_EQ(kAlikeTable.Find(kAlike.at(i)), i);
  }
  EXPECT_EQ(kAlikeTable.Find("d.0123456789abcdef"), kAlikeTable.kNone);
}

constexpr std::array<std::string_view, 3> kTwice = {"a", "b", "a"};
constexpr std::string_view TwiceAt(std::uint16_t index) { return kTwice.at(index); }

TEST(NameTable, KnowsOfANameThatStandsTwice) {
  constexpr NameTable<TwiceAt, kTwice.size()> kTwiceTable;
  EXPECT_FALSE(kTwiceTable.unique());
  EXPECT_EQ(kTwiceTable.Find("a"), 0U);
}

}  // namespace
}  // namespace ggufgate

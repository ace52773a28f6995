#include "bytes/character_kind.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>

namespace ggufgate {
namespace {

using enum CharacterKind;

std::size_t CountOf(CharacterKind kind) {
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x11'0000; ++c) count += KindOf(c) == kind ? 1U : 0U;
  return count;
}

// Source: Unicode 15, counts at the end of each property in DerivedCoreProperties.txt,
// PropList.txt and DerivedGeneralCategory.txt.
TEST(CharacterKind, HasAsManyCharactersAsTheProperties) {
  EXPECT_EQ(CountOf(kControl), 65U);
  EXPECT_EQ(CountOf(kDirection), 12U);
  EXPECT_EQ(CountOf(kInvisible) + CountOf(kDirection), 4174U) << "Default_Ignorable_Code_Point";
}

TEST(CharacterKind, EndsWhereItsRunsEnd) {
  struct Case {
    char32_t first;
    char32_t last;
    CharacterKind kind;
    CharacterKind before;
    CharacterKind behind;
  };
  for (const Case& run : {
           Case{0x7F, 0x9F, kControl, kPlain, kPlain},
           Case{0xAD, 0xAD, kInvisible, kPlain, kPlain},
           Case{0x0600, 0x0605, kFormat, kPlain, kPlain},
           Case{0x061C, 0x061C, kDirection, kPlain, kPlain},
           Case{0x200B, 0x200D, kInvisible, kPlain, kDirection},
           Case{0x200E, 0x200F, kDirection, kInvisible, kPlain},
           Case{0x2028, 0x2029, kFormat, kPlain, kDirection},
           Case{0x202A, 0x202E, kDirection, kFormat, kPlain},
           Case{0x2066, 0x2069, kDirection, kInvisible, kInvisible},
           Case{0xFFF0, 0xFFF8, kInvisible, kPlain, kFormat},
           Case{0xFFFE, 0xFFFF, kFormat, kPlain, kPlain},
           Case{0x1BCA0, 0x1BCA3, kInvisible, kPlain, kPlain},
           Case{0xE0000, 0xE0FFF, kInvisible, kPlain, kPlain},
       }) {
    EXPECT_EQ(KindOf(run.first), run.kind) << std::hex << +run.first;
    EXPECT_EQ(KindOf(run.last), run.kind) << std::hex << +run.last;
    EXPECT_EQ(KindOf(run.first - 1), run.before) << std::hex << +run.first;
    EXPECT_EQ(KindOf(run.last + 1), run.behind) << std::hex << +run.last;
  }
  EXPECT_EQ(KindOf(0), kControl);
  EXPECT_EQ(KindOf(' '), kPlain);
  EXPECT_EQ(KindOf(0x10'FFFF), kPlain);
}

template <typename Is>
std::size_t CountWhere(Is is) {
  std::size_t count = 0;
  for (char32_t c = 0; c < 0x11'0000; ++c) count += is(c) ? 1U : 0U;
  return count;
}

// Source: Unicode 17, DerivedGeneralCategory.txt.
TEST(CombiningMark, AreAsManyAsOfTheCategories) {
  EXPECT_EQ(CountWhere(IsCombiningMark), 2059U + 13U);
  for (const char32_t mark : std::u32string_view(U"\u0300\u036F\u0489\u20DD\uFE20\U0001E944")) {
    EXPECT_TRUE(IsCombiningMark(mark)) << std::hex << +mark;
  }
  for (const char32_t none : std::u32string_view(U"a\u02FF\u0370\u0903\u20F1\U0010FFFF")) {
    EXPECT_FALSE(IsCombiningMark(none)) << std::hex << +none;
  }
}

TEST(SpacingMark, AreAsManyAsOfTheCategory) {
  EXPECT_EQ(CountWhere(IsSpacingMark), 471U);
  for (const char32_t mark : std::u32string_view(U"\u0903\u093E\u0BCA\u1031\U0001D172")) {
    EXPECT_TRUE(IsSpacingMark(mark)) << std::hex << +mark;
    EXPECT_FALSE(IsCombiningMark(mark)) << std::hex << +mark;
  }
  for (const char32_t none : std::u32string_view(U"a\u0301\u0902\u0904\U0001D173\U0010FFFF")) {
    EXPECT_FALSE(IsSpacingMark(none)) << std::hex << +none;
  }
}

// Source: Unicode 17, PropList.txt: White_Space; 8 of these are not kPlain characters.
TEST(Blank, IsWhatShowsNothing) {
  constexpr std::size_t kPlainSpaces = 17;
  EXPECT_EQ(CountWhere([](char32_t c) { return IsBlank(c) && KindOf(c) == kPlain; }),
            kPlainSpaces + 1);
  for (const char32_t blank :
       std::u32string_view(U"\t \u00A0\u1680\u2003\u200B\u202F\u205F\u2800\u3000\u3164\uFEFF")) {
    EXPECT_TRUE(IsBlank(blank)) << std::hex << +blank;
  }
  for (const char32_t seen : std::u32string_view(U".\u00A1\u2010\u2801\u3001")) {
    EXPECT_FALSE(IsBlank(seen)) << std::hex << +seen;
  }
}

}  // namespace
}  // namespace ggufgate

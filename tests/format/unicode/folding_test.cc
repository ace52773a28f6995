#include "format/unicode/folding.h"

#include <gtest/gtest.h>

namespace ggufgate {
namespace {

std::string Fold(std::string_view name) {
  std::string out;
  AppendFold(name, out);
  return out;
}

TEST(IsFolded, AsciiWithoutCapitalsOrSpaceAround) {
  for (const char* name : {"", "a", "blk.0.attn_q.weight", "a b", "@[`{", "0"}) {
    EXPECT_TRUE(IsFolded(name)) << name;
  }
  for (const char* name : {"A", "blk.0.attn_Q.weight", "Z", " a", "a ", "a\n", "\ta", "\u00E9"}) {
    EXPECT_FALSE(IsFolded(name)) << name;
  }
}

TEST(AppendFold, AsciiIsLoweredAndTrimmed) {
  EXPECT_EQ(Fold("aZ@[`{09"), "az@[`{09");
  EXPECT_EQ(Fold(" \t\r\na b\v\f "), "a b");
  EXPECT_EQ(Fold(" "), "");
  std::string out = "x";
  AppendFold("Y", out);
  EXPECT_EQ(out, "xy");
}

// Each is the result of NFKD(casefold(NFKD(casefold(NFD(text))))) in Python.
TEST(AppendFold, CompatibilityCaselessMatch) {
  EXPECT_EQ(Fold("\u00C9"), "e\u0301");
  EXPECT_EQ(Fold("\uFF37\uFF4B"), "wk");
  EXPECT_EQ(Fold("\uFB03"), "ffi");
  EXPECT_EQ(Fold("\u1E9E"), "ss");
  EXPECT_EQ(Fold("\u0130"), "i\u0307");
  EXPECT_EQ(Fold("\u2167"), "viii");
  EXPECT_EQ(Fold("\u33A7"), "m\u2215s");
  EXPECT_EQ(Fold("\U0001D400"), "a");
  EXPECT_EQ(Fold("\uF900"), "\u8C48");
  EXPECT_EQ(Fold("\uD7A3"), "\u1112\u1175\u11C2");
  EXPECT_EQ(Fold("\uAC00"), "\u1100\u1161");
  EXPECT_EQ(Fold("\u0410\u03A9"), "\u0430\u03C9");
  EXPECT_EQ(Fold("\U0010FFFF"), "\U0010FFFF");
}

TEST(AppendFold, MarksStandInTheirOrder) {
  EXPECT_EQ(Fold("a\u0301\u0323"), "a\u0323\u0301");
  EXPECT_EQ(Fold("a\u0323\u0301"), "a\u0323\u0301");
  EXPECT_EQ(Fold("a\u0301\u0300"), "a\u0301\u0300");  // of one class: unchanged
  EXPECT_EQ(Fold("\u0301\u0323"
                 "b\u0301\u0323"),
            "\u0323\u0301"
            "b\u0323\u0301");
  // The iota below is a letter only after the other marks.
  EXPECT_EQ(Fold("\u1FB4"), "\u03B1\u0301\u03B9");
  EXPECT_EQ(Fold("\u03B1\u0345\u0301"), "\u03B1\u0301\u03B9");
}

TEST(AppendFold, SpacesOfUnicodeAreTrimmed) {
  for (const char* space : {"\u0085", "\u00A0", "\u1680", "\u2003", "\u2028", "\u3000"}) {
    EXPECT_EQ(Fold(std::string(space) + "\u00E9" + space), "e\u0301") << space;
  }
  EXPECT_EQ(Fold("\u3000"), "");
}

TEST(AppendFold, OfTextThatIsLongOrNoneOnlyCase) {
  EXPECT_EQ(Fold("\xFFQ "), "\xFFq");
  const std::string longest = "\u00C9" + std::string(1022, 'Q');
  EXPECT_EQ(Fold(longest), "e\u0301" + std::string(1022, 'q'));
  EXPECT_EQ(Fold(longest + "Q"), "\u00C9" + std::string(1023, 'q'));
}

}  // namespace
}  // namespace ggufgate

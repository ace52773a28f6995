#include "report/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ggufgate {
namespace {

using enum Table::Align;

std::string Printed(const Table& table) {
  std::ostringstream out;
  table.Print(out);
  return out.str();
}

TEST(DisplayWidth, CountsCharactersNotBytes) {
  EXPECT_EQ(DisplayWidth(""), 0U);
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("é×…"), 3U);
  EXPECT_EQ(DisplayWidth("日本"), 2U) << "each is taken as one column wide";
}

TEST(Table, AlignsColumns) {
  Table table({kLeft, kRight, kLeft});
  table.Add({"a", "1", "x"});
  table.Add({"long", "1000", "y"});
  EXPECT_EQ(Printed(table),
            "  a        1  x\n"
            "  long  1000  y\n");
}

TEST(Table, LeavesNoBlanksAtTheEndOfALine) {
  Table table({kLeft, kLeft});
  table.Add({"name", "wide value"});
  table.Add({"n", ""});
  table.Add({"", ""});
  EXPECT_EQ(Printed(table), "  name  wide value\n  n\n\n");
}

TEST(Table, AlignsTextBeyondAscii) {
  Table table({kLeft, kLeft});
  table.Add({"é", "x"});
  table.Add({"ee", "y"});
  EXPECT_EQ(Printed(table), "  é   x\n  ee  y\n");
}

TEST(Table, WithoutRowsPrintsNothing) { EXPECT_EQ(Printed(Table({kLeft})), ""); }

}  // namespace
}  // namespace ggufgate

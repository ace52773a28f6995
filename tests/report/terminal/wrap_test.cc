#include "report/terminal/wrap.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "report/table.h"
#include "report/terminal/paint.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using testing::Lines;

TEST(WrappedUnder, LeavesTextAloneWhereThereIsNoTerminal) {
  const std::string text = "a  b " + std::string(300, 'x') + " ";
  EXPECT_EQ(WrappedUnder(text, 8, 8, 0), text);
}

TEST(WrappedUnder, BreaksAtBlanksUnderItsColumn) {
  EXPECT_EQ(WrappedUnder("one two three", 4, 4, 40), "one two three");
  EXPECT_EQ(WrappedUnder("one two three", 4, 4, 11), "one two\n    three");
  EXPECT_EQ(WrappedUnder("one two three", 4, 2, 11), "one two\n  three");
  // The first line begins further to the right.
  EXPECT_EQ(WrappedUnder("one two three", 7, 4, 12), "one\n    two\n    three");
}

TEST(WrappedUnder, FillsALineAndNotOneColumnMore) {
  EXPECT_EQ(WrappedUnder("12345 789", 0, 0, 9), "12345 789");
  EXPECT_EQ(WrappedUnder("12345 7890", 0, 0, 9), "12345\n7890");
}

TEST(WrappedUnder, KeepsAWordWhole) {
  EXPECT_EQ(WrappedUnder("a /a/very/long/path b", 2, 2, 10), "a\n  /a/very/long/path\n  b");
}

TEST(WrappedUnder, KeepsBlanksInsideALine) {
  EXPECT_EQ(WrappedUnder("a   b c", 0, 0, 5), "a   b\nc");
}

TEST(WrappedUnder, CountsCharactersAndNoColours) {
  EXPECT_EQ(WrappedUnder("äöü äöü", 0, 0, 7), "äöü äöü");
  const Paint paint(true);
  EXPECT_EQ(WrappedUnder("abc " + paint.Quiet("def"), 0, 0, 7), "abc " + paint.Quiet("def"));
  EXPECT_EQ(WrappedUnder("abc " + paint.Quiet("def"), 0, 0, 6), "abc\n" + paint.Quiet("def"));
}

TEST(WrappedUnder, LosesNoLetterOnTerminalsOfAnyWidth) {
  std::string text;
  for (std::size_t i = 0; i < 200; ++i) text += i % 9 == 8 ? ' ' : 'a';
  for (std::size_t columns = 1; columns < 60; ++columns) {
    const std::string wrapped = WrappedUnder(text, 10, 10, columns);
    EXPECT_EQ(std::ranges::count(wrapped, 'a'), std::ranges::count(text, 'a')) << columns;
    if (columns < 20) continue;
    for (const std::string& line : Lines(std::string(10, ' ') + wrapped + '\n')) {
      EXPECT_LE(line.size(), columns);
    }
  }
}

TEST(WrappedUnder, EndsForTextThatIsAllBlank) {
  EXPECT_EQ(WrappedUnder("   ", 0, 0, 20), "");
  EXPECT_EQ(WrappedUnder("", 0, 0, 20), "");
}

TEST(Table, WrapsItsLastColumnUnderItself) {
  Table table({Table::Align::kLeft, Table::Align::kLeft});
  table.Add({"key", "one two three"});
  table.Add({"longer", "four"});
  std::ostringstream plain, narrow;
  table.Print(plain);
  EXPECT_EQ(plain.str(), "  key     one two three\n  longer  four\n");
  table.Print(narrow, 20);
  EXPECT_EQ(narrow.str(), "  key     one two\n          three\n  longer  four\n");
}

}  // namespace
}  // namespace ggufgate

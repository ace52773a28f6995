#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "parse/model.h"
#include "parse/parse.h"
#include "parse/regions.h"
#include "report/inspect/inspect.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string LayoutOf(const std::vector<std::uint8_t>& file, std::uint64_t size = 0) {
  const std::uint64_t file_size = std::max<std::uint64_t>(file.size(), size);
  std::ostringstream out;
  DrawLayout(Parse(file, file_size, Limits{}).document, out);
  return out.str();
}

// MapOf returns the cells of the map: the lines of letters between the legend and the list.
std::string MapOf(const std::string& layout) {
  std::string cells;
  int blank_lines = 0;
  for (const std::string& line : testing::Lines(layout)) {
    if (line.empty()) ++blank_lines;
    if (blank_lines == 2 && !line.empty()) cells += line.substr(2);
  }
  return cells;
}

// RowsOf returns the lines of the list.
std::vector<std::string> RowsOf(const std::string& layout) {
  const std::vector<std::string> lines = testing::Lines(layout);
  const auto last_blank = std::ranges::find(lines.rbegin(), lines.rend(), "");
  return {last_blank.base(), lines.end()};
}

// Every kind of region except kUnread, in less than 512 bytes.
Model Everything() {
  Model model = Model::Minimal();
  model.Set("key", std::uint32_t{1});
  model.Add("second", TensorType::kF16, {3});
  model.Add("third", TensorType::kF16, {16});
  model.tensors.at(2).offset += 64;  // a gap
  model.trailing = {1, 2, 3};
  return model;
}

std::string LettersByRegion(const std::vector<std::uint8_t>& file) {
  std::string letters;
  for (const Region& region : Regions(Parse(file, file.size(), Limits{}).document)) {
    const auto letter = [&]() -> char {
      switch (region.kind) {
        case Region::Kind::kHeader:
          return 'H';
        case Region::Kind::kMetadata:
          return 'm';
        case Region::Kind::kTensorInfo:
          return 't';
        case Region::Kind::kPadding:
          return '.';
        case Region::Kind::kTensorData:
          return region.index == 1 ? '=' : '#';
        case Region::Kind::kGap:
          return '_';
        case Region::Kind::kTrailing:
          return '+';
        case Region::Kind::kUnread:
          return '?';
      }
      return ' ';
    };
    letters.resize(region.range.End(), letter());
  }
  return letters;
}

TEST(DrawLayout, GivesEveryByteOfASmallFileItsLetter) {
  std::vector<std::uint8_t> file = Write(Everything());
  file.insert(file.end() - 3, 64, 0);  // the size of the gap
  ASSERT_LE(file.size(), 512U);
  const std::string layout = LayoutOf(file);
  EXPECT_EQ(MapOf(layout), LettersByRegion(file));
  for (const char letter : std::string("Hmt.#=_+"))
    EXPECT_THAT(MapOf(layout), HasSubstr(std::string(1, letter)));
  EXPECT_THAT(layout, HasSubstr("one character is 1 byte:"));
}

TEST(DrawLayout, BreaksTheMapIntoLinesOf64) {
  const std::string layout = LayoutOf(Write(Everything()));
  const std::vector<std::string> lines = testing::Lines(layout);
  ASSERT_GT(lines.size(), 6U);
  EXPECT_EQ(lines.at(1), "layout");
  EXPECT_EQ(lines.at(5).size(), 2U + 64);
}

TEST(DrawLayout, ListsTheRegionsWithTheirSizes) {
  const std::vector<std::uint8_t> file = Write(Model::Minimal().Set("key", std::uint32_t{1}));
  const std::vector<std::string> rows = RowsOf(LayoutOf(file));
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_THAT(rows.at(0), StartsWith("   0x0  24  15.0%  ███▋"));
  EXPECT_TRUE(rows.at(0).ends_with("header")) << rows.at(0);
  EXPECT_TRUE(rows.at(1).ends_with("metadata     × 2")) << rows.at(1);
  EXPECT_TRUE(rows.at(2).ends_with("tensor info")) << rows.at(2);
  EXPECT_TRUE(rows.at(3).ends_with("tensor data  weight [8]")) << rows.at(3);
}

TEST(DrawLayout, SizesAddUpToTheFile) {
  std::vector<std::uint8_t> file = Write(Everything());
  file.insert(file.end() - 3, 64, 0);
  std::uint64_t padding = 0;
  for (const Region& region : Regions(Parse(file, file.size(), Limits{}).document)) {
    if (region.kind == Region::Kind::kPadding) padding += region.range.size;
  }
  std::uint64_t listed = 0;
  for (const std::string& row : RowsOf(LayoutOf(file))) {
    std::istringstream words(row);
    std::string offset, size;
    words >> offset >> size;
    listed += std::stoull(size);
  }
  EXPECT_EQ(listed + padding, file.size()) << "padding is not listed";
}

TEST(DrawLayout, DrawsALargeFileToScale) {
  Model model;
  model.Add("a", TensorType::kI8, {100'000});
  model.Add("b", TensorType::kI8, {300'000});
  const std::string layout = LayoutOf(Write(model));
  const std::string map = MapOf(layout);
  EXPECT_LE(map.size(), 512U);
  EXPECT_GE(map.size(), 500U);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(map, '=')) / static_cast<double>(map.size()),
              0.75, 0.01);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(map, '#')) / static_cast<double>(map.size()),
              0.25, 0.01);
}

TEST(DrawLayout, ACellShowsWhatCoversItsMiddle) {
  // Cells of about 80 bytes: the header's 24 end before the middle of the first cell.
  Model model;
  model.Set("key", std::string(40, 'x'));
  model.Add("a", TensorType::kI8, {40'000});
  const std::string map = MapOf(LayoutOf(Write(model)));
  EXPECT_EQ(map.substr(0, 4), "mt##");
}

TEST(DrawLayout, OfAFileOfManyTerabytesStaysSmall) {
  const std::string layout = LayoutOf(Write(Model::Minimal()), std::uint64_t{1} << 62);
  EXPECT_LE(MapOf(layout).size(), 512U);
  EXPECT_LT(layout.size(), 2'000U);
  EXPECT_THAT(layout, HasSubstr("trailing bytes"));
}

TEST(DrawLayout, OfAnEmptyFileIsEmpty) { EXPECT_EQ(LayoutOf({}), "\nlayout\n"); }

TEST(DrawLayout, OfOneByteHasOneCell) { EXPECT_EQ(MapOf(LayoutOf({'G'})), "H"); }

TEST(DrawLayout, ShowsWhatAFaultLeftUnread) {
  Model model = Everything();
  model.metadata.at(1).type = 99;
  const std::vector<std::uint8_t> file = Write(model);
  const std::string layout = LayoutOf(file);
  EXPECT_EQ(MapOf(layout), LettersByRegion(file));
  EXPECT_THAT(MapOf(layout), HasSubstr("m?"));
  EXPECT_TRUE(RowsOf(layout).back().ends_with("not read")) << layout;
}

TEST(DrawLayout, ShowsOverlapsWithoutLosingItsWay) {
  Model model = Everything();
  model.tensors.at(1).offset = 0;
  const std::string layout = LayoutOf(Write(model));
  EXPECT_EQ(MapOf(layout).size(), Write(model).size());
  EXPECT_THAT(layout, HasSubstr("second [3]"));
}

TEST(DrawLayout, EscapesNames) {
  Model model;
  model.Add("a\x1b[31m\n\xc2\x9b", TensorType::kI8, {32});
  const std::string layout = LayoutOf(Write(model));
  EXPECT_TRUE(testing::IsHarmless(layout));
  EXPECT_THAT(layout, HasSubstr("a\\x1b[31m\\x0a\\u{009b} [32]"));
}

}  // namespace
}  // namespace ggufgate

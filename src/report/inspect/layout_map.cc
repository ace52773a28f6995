// Draws the layout of a file to scale.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "parse/regions.h"
#include "report/inspect/inspect.h"
#include "report/table.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Kind = Region::Kind;

constexpr std::size_t kColumns = 64;
constexpr std::size_t kMostRows = 8;

// Row is one line of the list: one region, or neighbours of the same kind.
struct Row {
  Kind kind;
  ByteRange range;
  std::uint64_t regions = 1;
  std::string name;
};

std::string NameOf(const Document& document, const Region& region) {
  if (region.kind != Kind::kTensorData) return "";
  const TensorInfo& tensor = document.tensors.at(region.index);
  return absl::StrCat(EscapeText(tensor.name), " ", ShapeText(tensor));
}

// Adjacent keys, and adjacent tensor infos, become one row. Padding is left out.
std::vector<Row> RowsOf(const Document& document, const std::vector<Region>& regions) {
  std::vector<Row> rows;
  for (const Region& region : regions) {
    const bool groups = region.kind == Kind::kMetadata || region.kind == Kind::kTensorInfo;
    if (groups && !rows.empty() && rows.back().kind == region.kind) {
      rows.back().range.size += region.range.size;
      ++rows.back().regions;
    } else if (region.kind != Kind::kPadding) {
      rows.push_back({region.kind, region.range, 1, NameOf(document, region)});
    }
  }
  return rows;
}

char LetterFor(const Region& region) {
  switch (region.kind) {
    case Kind::kHeader:
      return 'H';
    case Kind::kMetadata:
      return 'm';
    case Kind::kTensorInfo:
      return 't';
    case Kind::kTensorData:
      return region.index % 2 == 0 ? '#' : '=';  // to distinguish neighbours
    case Kind::kPadding:
      return '.';
    case Kind::kGap:
      return '_';
    case Kind::kTrailing:
      return '+';
    case Kind::kUnread:
      return '?';
  }
  return ' ';
}

// DrawMap fills a grid. Every cell represents the same number of bytes, and has the letter of the
// region at its middle.
void DrawMap(const std::vector<Region>& regions, std::uint64_t size, std::ostream& out) {
  const std::uint64_t cells = std::clamp<std::uint64_t>(size, 1, kColumns * kMostRows);
  const std::uint64_t scale = size / cells + (size % cells != 0 ? 1 : 0);
  out << "  one character is " << HumanBytes(scale)
      << ": H header, m metadata, t tensor directory, # = tensor data, . padding,\n"
         "  _ gap, + trailing bytes, ? not read\n\n";
  auto region = regions.begin();
  std::size_t column = 0;
  for (std::uint64_t at = scale / 2; at < size; at += scale) {
    while (region + 1 < regions.end() && region->range.End() <= at) ++region;
    if (column == 0) out << "  ";
    out << LetterFor(*region);
    column = (column + 1) % kColumns;
    if (column == 0) out << '\n';
  }
  out << (column == 0 ? "\n" : "\n\n");
}

// Bar returns a bar for the region's share of the file, in eighths of a character.
std::string Bar(std::uint64_t bytes, std::uint64_t size) {
  constexpr std::size_t kLongest = 24;
  constexpr std::size_t kEighths = 8;
  constexpr std::array<const char*, kEighths> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double share = static_cast<double>(bytes) / static_cast<double>(size);
  const auto eighths = static_cast<std::size_t>(std::lround(share * kLongest * kEighths));
  std::string bar;
  for (std::size_t i = 0; i < eighths / kEighths; ++i) bar += "█";
  return bar + kParts.at(eighths % kEighths);
}

}  // namespace

void DrawLayout(const Document& document, std::ostream& out) {
  out << "\nlayout\n";
  const std::uint64_t size = document.file_size;
  if (size == 0) return;
  const std::vector<Region> regions = Regions(document);
  DrawMap(regions, size, out);

  Table table({Table::Align::kRight, Table::Align::kRight, Table::Align::kRight,
               Table::Align::kLeft, Table::Align::kLeft, Table::Align::kLeft});
  for (const Row& row : RowsOf(document, regions)) {
    constexpr double kPercent = 100;
    const double share = kPercent * static_cast<double>(row.range.size) / static_cast<double>(size);
    table.Add({absl::StrFormat("0x%x", row.range.begin), Grouped(row.range.size),
               absl::StrFormat("%.1f%%", share), Bar(row.range.size, size),
               std::string(WordFor(row.kind)),
               row.regions > 1 ? absl::StrCat("× ", Grouped(row.regions)) : row.name});
  }
  table.Print(out);
}

}  // namespace ggufgate

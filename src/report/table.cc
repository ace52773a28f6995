#include "report/table.h"

#include <algorithm>
#include <utility>

#include "words/escape.h"

namespace ggufgate {

void Table::Add(std::vector<std::string> cells) {
  if (!cells.empty()) cells.front() = WithoutCommand(std::move(cells.front()));
  rows_.push_back(std::move(cells));
}

void Table::Print(std::ostream& out, std::size_t columns) const {
  std::vector<std::size_t> widths(columns_.size());
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths.at(i) = std::max(widths.at(i), DisplayWidth(row.at(i)));
    }
  }
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    std::size_t at = 0;  // the next column to write
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string& cell = row.at(i);
      line += "  ";
      at += 2;
      if (i + 1 == row.size() && columns_.at(i) == Align::kLeft) {
        line += WrappedUnder(cell, at, at, columns);
        continue;
      }
      const std::string blanks(widths.at(i) - DisplayWidth(cell), ' ');
      line += columns_.at(i) == Align::kRight ? blanks + cell : cell + blanks;
      at += widths.at(i);
    }
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

}  // namespace ggufgate

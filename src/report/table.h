#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "report/terminal/wrap.h"

namespace ggufgate {

// Table prints rows in aligned columns, two spaces apart and two from the left. Lines have no
// blanks at their end. On a terminal, a last column of text is wrapped at its left edge.
class Table {
 public:
  enum class Align { kLeft, kRight };

  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // Add takes as many cells as there are columns. The first cell begins a line, and is escaped so
  // that CI systems do not read it as a command.
  void Add(std::vector<std::string> cells);
  // `columns` is the width of the terminal; 0 means no terminal.
  void Print(std::ostream& out, std::size_t columns = 0) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ggufgate

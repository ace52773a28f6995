#pragma once

// How pictures of weights are laid out and drawn: what both the page and the drawing need.

#include <span>
#include <string>
#include <vector>

#include "report/pages/weights.h"

namespace ggufgate::internal {

// A cell is kCellWidth wide; the histogram stands on kBaseLine, that of the scales below it.
inline constexpr int kCellWidth = 120;
inline constexpr int kCellHeight = 64;
inline constexpr int kBaseLine = 44;

// Row is all layers of a role, in their order, or the tensors that belong to no layer.
struct Row {
  std::string role;  // as in the file, but for the "*"; empty: no layer
  std::vector<std::size_t> pictures;
  double reach = 0;  // the axis goes so far on both sides of 0; 0: each picture has its own
};

// RowsOf arranges the first kMostPictures.
[[nodiscard]] std::vector<Row> RowsOf(std::span<const WeightPicture> pictures);

// Drawing is the paths of one cell: of the values, and of the scales; either may be empty.
struct Drawing {
  std::string values;
  std::string scales;
};
[[nodiscard]] Drawing DrawingOf(const WeightPicture& picture, double reach);

// NumbersOf says in words what the picture shows.
[[nodiscard]] std::string NumbersOf(const WeightPicture& picture);

}  // namespace ggufgate::internal

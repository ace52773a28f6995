#include "report/pages/weight_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "words/numbers.h"

namespace ggufgate::internal {
namespace {

constexpr std::size_t kBins = WeightPicture::kBins;

// Steps draws counts as a stepped outline between `left` and `right`, standing on `base`.
std::string Steps(const std::array<std::uint64_t, kBins>& counts, double left, double right,
                  double base, double height) {
  const std::uint64_t most = *std::ranges::max_element(counts);
  if (most == 0) return "";
  const double width = (right - left) / double{kBins};
  std::string path;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    const double from = left + width * static_cast<double>(bin);
    const double to = from + width;
    if (counts.at(bin) == 0 || to < 0 || from > double{kCellWidth}) continue;
    const double share = static_cast<double>(counts.at(bin)) / static_cast<double>(most);
    const double tall = std::max(0.6, share * height);  // what is there is seen
    absl::StrAppendFormat(&path, "M%.1f %.1fV%.1fH%.1fV%.1fz", std::max(from, 0.0), base,
                          base - tall, std::min(to, double{kCellWidth}), base);
  }
  return path;
}

double MedianOf(std::vector<double> list) {
  if (list.empty()) return 0;
  const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
  std::ranges::nth_element(list, middle);
  return *middle;
}

}  // namespace

std::vector<Row> RowsOf(std::span<const WeightPicture> pictures) {
  pictures = pictures.first(std::min(pictures.size(), kMostPictures));
  std::vector<Row> rows(1);  // the tensors without a layer come first
  std::map<std::string, std::size_t> places;
  std::vector<std::int64_t> layers;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const WeightRole role = RoleOf(pictures[i].name);
    layers.push_back(role.layer);
    if (role.layer < 0) {
      rows.front().pictures.push_back(i);
      continue;
    }
    const auto [place, added] = places.try_emplace(role.name, rows.size());
    if (added) rows.push_back({.role = role.name});
    rows.at(place->second).pictures.push_back(i);
  }
  for (Row& row : rows) {
    std::ranges::sort(row.pictures, {}, [&](std::size_t i) { return std::pair(layers.at(i), i); });
    if (row.role.empty()) continue;
    std::vector<double> reaches;
    for (const std::size_t i : row.pictures) {
      const WeightPicture& one = pictures[i];
      if (one.deviation > 0) {
        reaches.push_back(std::fabs(one.mean) + WeightPicture::kDeviations * one.deviation);
      }
    }
    row.reach = MedianOf(std::move(reaches));
  }
  if (rows.front().pictures.empty()) rows.erase(rows.begin());
  return rows;
}

Drawing DrawingOf(const WeightPicture& picture, double reach) {
  Drawing drawing;
  const double half = WeightPicture::kDeviations * picture.deviation;
  // A picture of its own goes as far as its values, but that one value alone is not at the edge.
  if (!(reach > 0) || !std::isfinite(reach))
    reach = half > 0 ? std::fabs(picture.mean) + half : 2 * std::fabs(picture.mean);
  const auto place = [&](double value) {
    const double share = reach > 0 ? value / reach : 0;
    return (std::clamp(share, -1000.0, 1000.0) + 1) * kCellWidth / 2;
  };
  if (half > 0) {
    drawing.values = Steps(picture.bins, place(picture.mean - half), place(picture.mean + half),
                           kBaseLine, kBaseLine - 4);
  } else if (picture.finite > 0) {
    const double at = std::clamp(place(picture.mean), 1.5, kCellWidth - 1.5);
    drawing.values =
        absl::StrFormat("M%.1f %dV4H%.1fV%dz", at - 1.5, kBaseLine, at + 1.5, kBaseLine);
  }
  drawing.scales =
      Steps(picture.scale_bins, 0, kCellWidth, kCellHeight - 1, kCellHeight - kBaseLine - 7);
  return drawing;
}

std::string NumbersOf(const WeightPicture& picture) {
  std::string text =
      absl::StrCat(picture.type, " ", picture.shape, ", ", Grouped(picture.values), " values");
  if (picture.finite > 0) {
    absl::StrAppendFormat(&text, ", %.4g to %.4g, mean %.4g, deviation %.4g", picture.min,
                          picture.max, picture.mean, picture.deviation);
  }
  if (picture.outliers > 0) absl::StrAppend(&text, ", ", Grouped(picture.outliers), " outliers");
  return text;
}

}  // namespace ggufgate::internal

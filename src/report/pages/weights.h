#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace ggufgate {

// WeightPicture is what is drawn of one tensor.
struct WeightPicture {
  static constexpr std::size_t kBins = 40;
  static constexpr double kDeviations = 5;  // on both sides of the mean that the bins cover
  static constexpr double kOutlier = 6;     // values beyond so many deviations are outliers
  // Bins of scales begin at this power of two, so many to a power.
  static constexpr int kLeastScale = -16;
  static constexpr int kScaleBins = 2;

  std::string name;   // as in the file
  std::string type;   // "Q4_K"
  std::string shape;  // "[4096, 32000]"
  std::uint64_t values = 0;
  std::uint64_t finite = 0;  // of which all that follows but the next three
  std::uint64_t zeros = 0;
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
  double min = 0;
  double max = 0;
  double mean = 0;
  double deviation = 0;
  std::uint64_t outliers = 0;
  std::array<std::uint64_t, kBins> bins{};  // those further out are in the first and last
  std::uint64_t scales = 0;                 // of blocks; 0: the type has none
  std::uint64_t zero_scales = 0;
  std::array<std::uint64_t, kBins> scale_bins{};  // by log2 of the size; NaN and infinite in none
};

// RoleOf is the name with the number of its layer replaced by "*", and the number: all layers of a
// role are drawn side by side. `layer` is -1 where the name has none.
struct WeightRole {
  std::string name;
  std::int64_t layer = -1;
};
[[nodiscard]] WeightRole RoleOf(std::string_view tensor);

// What stands out, in words: all zero, NaN, ten times the other layers of the role, far outliers.
struct StandsOut {
  std::size_t picture = 0;  // its index
  std::string words;
  std::string brief;  // the first of it in a few words: "all zero"
};
[[nodiscard]] std::vector<StandsOut> WhatStandsOut(std::span<const WeightPicture> pictures);

// Each draws all tensors, in one file that holds all it needs: at most kMostPictures of them, and
// in the page a table of at most kMostRows; it says how many are left out.
inline constexpr std::size_t kMostPictures = 3'000;
inline constexpr std::size_t kMostRows = 5'000;
void PicturesAsHtml(std::span<const WeightPicture> pictures, const std::string& path,
                    std::ostream& out);
void PicturesAsSvg(std::span<const WeightPicture> pictures, const std::string& path,
                   std::ostream& out);

}  // namespace ggufgate

// What a person must not have to find in the pictures: said in words.

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/pages/weights.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::size_t kFewestLayers = 3;  // of which a median says something
constexpr double kTimes = 10;
constexpr double kFar = 50;  // deviations

// Medians are those of the deviations of a role's layers that are not all zero.
std::map<std::string, double> Medians(std::span<const WeightPicture> pictures) {
  std::map<std::string, std::vector<double>> deviations;
  for (const WeightPicture& picture : pictures) {
    const WeightRole role = RoleOf(picture.name);
    if (role.layer >= 0 && picture.deviation > 0)
      deviations[role.name].push_back(picture.deviation);
  }
  std::map<std::string, double> medians;
  for (auto& [role, list] : deviations) {
    if (list.size() < kFewestLayers) continue;
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    std::ranges::nth_element(list, middle);
    medians[role] = *middle;
  }
  return medians;
}

void Say(std::string& words, std::string_view more) {
  absl::StrAppend(&words, words.empty() ? "" : "; ", std::string(more));
}

std::string WordsFor(const WeightPicture& picture, double median) {
  std::string words;
  if (picture.values > 0 && picture.zeros == picture.values) Say(words, "all values are zero");
  if (picture.nan > 0) Say(words, Grouped(picture.nan) + " values are NaN");
  if (picture.infinite > 0) Say(words, Grouped(picture.infinite) + " values are infinite");
  if (picture.finite > 1 && picture.min == picture.max && picture.zeros != picture.values) {
    Say(words, absl::StrFormat("all values are %.4g", picture.min));
  }
  const double deviation = picture.deviation;
  if (median > 0 && deviation >= kTimes * median) {
    Say(words,
        absl::StrFormat("values are %.3g times as wide as the median layer's", deviation / median));
  }
  if (median > 0 && deviation > 0 && deviation * kTimes <= median) {
    Say(words, absl::StrFormat("values are %.3g times narrower than the median layer's",
                               median / deviation));
  }
  const double far = std::max(picture.max - picture.mean, picture.mean - picture.min);
  if (deviation > 0 && far >= kFar * deviation) {
    Say(words,
        absl::StrFormat("the farthest value is %.3g deviations from the mean", far / deviation));
  }
  if (picture.zero_scales > 0 && picture.zeros != picture.values) {
    Say(words, absl::StrCat(Grouped(picture.zero_scales), " of ", Grouped(picture.scales),
                            " blocks have a scale of zero"));
  }
  return words;
}

}  // namespace

WeightRole RoleOf(std::string_view tensor) {
  std::size_t begin = 0;
  while (begin <= tensor.size()) {
    const std::size_t end = std::min(tensor.find('.', begin), tensor.size());
    const std::string_view part = tensor.substr(begin, end - begin);
    std::int64_t layer = 0;
    const bool digits =
        !part.empty() && part.size() <= 6 &&
        std::ranges::all_of(part, [](unsigned char c) { return absl::ascii_isdigit(c); });
    if (digits && absl::SimpleAtoi(std::string(part), &layer)) {
      return {std::string(tensor.substr(0, begin)) + "*" + std::string(tensor.substr(end)), layer};
    }
    begin = end + 1;
  }
  return {std::string(tensor), -1};
}

std::vector<StandsOut> WhatStandsOut(std::span<const WeightPicture> pictures) {
  const std::map<std::string, double> medians = Medians(pictures);
  std::vector<StandsOut> out;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const auto median = medians.find(RoleOf(pictures[i].name).name);
    std::string words = WordsFor(pictures[i], median != medians.end() ? median->second : 0);
    if (!words.empty()) out.push_back({.picture = i, .words = std::move(words)});
  }
  return out;
}

}  // namespace ggufgate

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

// Words gathers what is said of one tensor.
class Words {
 public:
  explicit Words(StandsOut& out) : out_(out) {}

  void Say(std::string_view brief, std::string_view words) {
    if (out_.words.empty()) out_.brief = brief;
    absl::StrAppend(&out_.words, out_.words.empty() ? "" : "; ", std::string(words));
  }

 private:
  StandsOut& out_;
};

std::string Counted(std::uint64_t count, std::string_view state) {
  return absl::StrCat(Grouped(count), count == 1 ? " value is " : " values are ",
                      std::string(state));
}

void SayWhatIsNoNumber(const WeightPicture& picture, Words& words) {
  if (picture.nan > 0) words.Say("NaN", Counted(picture.nan, "NaN"));
  if (picture.infinite > 0) words.Say("infinite", Counted(picture.infinite, "infinite"));
}

void SayHowWide(const WeightPicture& picture, double median, Words& words) {
  const double deviation = picture.deviation;
  if (median > 0 && deviation >= kTimes * median) {
    const double times = deviation / median;
    words.Say(absl::StrFormat("%.3g× as wide", times),
              absl::StrFormat("values are %.3g times as wide as the median layer's", times));
  }
  if (median > 0 && deviation > 0 && deviation * kTimes <= median) {
    const double times = median / deviation;
    words.Say(absl::StrFormat("%.3g× narrower", times),
              absl::StrFormat("values are %.3g times narrower than the median layer's", times));
  }
  const double far = std::max(picture.max - picture.mean, picture.mean - picture.min);
  if (deviation > 0 && far >= kFar * deviation) {
    words.Say("far outlier", absl::StrFormat("the farthest value is %.3g deviations from the mean",
                                             far / deviation));
  }
}

StandsOut Found(const WeightPicture& picture, double median) {
  StandsOut found;
  Words words(found);
  const bool all_zero = picture.values > 0 && picture.zeros == picture.values;
  if (all_zero) words.Say("all zero", "all values are zero");
  SayWhatIsNoNumber(picture, words);
  if (!all_zero && picture.finite > 1 && picture.min == picture.max) {
    words.Say(absl::StrFormat("all %.4g", picture.min),
              absl::StrFormat("all values are %.4g", picture.min));
  }
  SayHowWide(picture, median, words);
  if (picture.zero_scales > 0 && !all_zero) {
    words.Say("zero scales", absl::StrCat(Grouped(picture.zero_scales), " of ",
                                          Grouped(picture.scales), " scales are zero"));
  }
  return found;
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
    StandsOut found = Found(pictures[i], median != medians.end() ? median->second : 0);
    found.picture = i;
    if (!found.words.empty()) out.push_back(std::move(found));
  }
  return out;
}

}  // namespace ggufgate

#include "format/label.h"

#include <algorithm>
#include <array>
#include <string>

#include "format/by_length.h"

namespace ggufgate {
namespace {

constexpr std::string_view kNumber = "{n}";

constexpr std::array kLabels = {
#define GGUFGATE_LABEL(pattern, shape, what) KeyInfo{pattern, KeyShape::shape, what},
#include "format/labels.def"
#undef GGUFGATE_LABEL
};

constexpr auto kSorted = [] {
  auto labels = kLabels;
  std::ranges::sort(labels, ByLength{}, &KeyInfo::pattern);
  return labels;
}();
static_assert(std::ranges::adjacent_find(kSorted, {}, &KeyInfo::pattern) == kSorted.end(),
              "a key stands once in labels.def");

constexpr std::size_t kLongest = kSorted.back().pattern.size();
constexpr std::size_t kLongestNumber = 20;  // digits of a 64-bit integer

const KeyInfo* Find(std::string_view pattern) {
  const auto found = std::ranges::lower_bound(kSorted, pattern, ByLength{}, &KeyInfo::pattern);
  return found != kSorted.end() && found->pattern == pattern ? &*found : nullptr;
}

}  // namespace

std::span<const KeyInfo> AllLabels() { return kLabels; }

const KeyInfo* FindLabel(std::string_view key) {
  if (key.size() > kLongest + kLongestNumber) return nullptr;
  if (const KeyInfo* plain = Find(key)) return plain;
  // The first number between two dots is {n}.
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = key.find_first_of(kDigits);
  if (begin == 0 || begin == std::string_view::npos || key[begin - 1] != '.') return nullptr;
  const std::size_t end = key.find_first_not_of(kDigits, begin);
  if (end == std::string_view::npos || key[end] != '.') return nullptr;
  return Find(std::string(key.substr(0, begin)).append(kNumber).append(key.substr(end)));
}

}  // namespace ggufgate

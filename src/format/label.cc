#include "format/label.h"

#include <algorithm>
#include <array>
#include <string>

#include "format/name_table.h"

namespace ggufgate {
namespace {

constexpr std::string_view kNumber = "{n}";

constexpr std::array kLabels = {
#define GGUFGATE_LABEL(pattern, shape, what) KeyInfo{pattern, KeyShape::shape, what},
#include "format/labels.def"
#undef GGUFGATE_LABEL
};

constexpr std::string_view PatternAt(std::uint16_t index) { return kLabels.at(index).pattern; }

constexpr NameTable<PatternAt, kLabels.size()> kByPattern;
static_assert(kByPattern.unique(), "a key occurs once in labels.def");

constexpr auto LengthOf = [](const KeyInfo& label) { return label.pattern.size(); };
constexpr std::size_t kLongest = LengthOf(std::ranges::max(kLabels, {}, LengthOf));
constexpr std::size_t kLongestNumber = 20;  // digits of a 64-bit integer

const KeyInfo* Find(std::string_view pattern) {
  const std::uint16_t index = kByPattern.Find(pattern);
  return index != kByPattern.kNone ? &kLabels.at(index) : nullptr;
}

}  // namespace

std::span<const KeyInfo> AllLabels() { return kLabels; }

const KeyInfo* FindLabel(std::string_view key) {
  if (key.size() > kLongest + kLongestNumber) return nullptr;
  if (const KeyInfo* plain = Find(key)) return plain;
  // Replace the first number between two dots with {n}.
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t begin = key.find_first_of(kDigits);
  if (begin == 0 || begin == std::string_view::npos || key[begin - 1] != '.') return nullptr;
  const std::size_t end = key.find_first_not_of(kDigits, begin);
  if (end == std::string_view::npos || key[end] != '.') return nullptr;
  return Find(std::string(key.substr(0, begin)).append(kNumber).append(key.substr(end)));
}

}  // namespace ggufgate

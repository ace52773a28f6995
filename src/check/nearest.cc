#include "check/nearest.h"

#include <algorithm>
#include <vector>

namespace ggufgate {
namespace {

constexpr std::size_t kLongestAsked = 64;
constexpr std::size_t kShortestBeginning = 3;

// EditDistance is the Levenshtein distance. Both texts must be short.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row.at(j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row.front();
    row.front() = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a.at(i - 1) == b.at(j - 1) ? 0 : 1);
      diagonal = row.at(j);
      row.at(j) = std::min({replaced, row.at(j) + 1, row.at(j - 1) + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string_view Nearest(std::string_view asked, std::span<const std::string_view> words) {
  asked = asked.substr(0, kLongestAsked);
  if (asked.size() >= kShortestBeginning) {
    const auto longer = std::ranges::find_if(
        words, [asked](std::string_view word) { return word.starts_with(asked); });
    if (longer != words.end()) return *longer;
  }
  std::string_view nearest;
  std::size_t least = SIZE_MAX;
  for (const std::string_view word : words) {
    const std::size_t distance = EditDistance(asked, word);
    if (distance < least) {
      least = distance;
      nearest = word;
    }
  }
  return least <= nearest.size() / 2 ? nearest : std::string_view();
}

const Rule* NearestRule(std::string_view asked) {
  std::vector<std::string_view> slugs;
  for (const Rule& rule : AllRules()) slugs.push_back(rule.slug);
  return FindRule(Nearest(asked, slugs));
}

}  // namespace ggufgate

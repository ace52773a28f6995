#include "tests/published/recipe_text.h"

#include <algorithm>

namespace ggufgate::published {

std::string_view Trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string_view TakeWord(std::string_view& text) {
  text = Trim(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = Trim(text.substr(end));
  return word;
}

std::vector<std::string_view> Split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (const std::string_view part = Trim(text.substr(0, end)); !part.empty()) {
      parts.push_back(part);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::optional<Range> RangeIn(std::string_view text) {
  const std::size_t dots = text.find("..");
  const auto first = NumberIn<std::uint64_t>(text.substr(0, dots));
  const auto last =
      dots == std::string_view::npos ? first : NumberIn<std::uint64_t>(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return Range{*first, *last};
}

std::vector<std::string> Expand(std::string_view pattern) {
  const std::size_t open = pattern.find('{');
  if (open == std::string_view::npos) return {std::string(pattern)};
  const std::size_t close = std::min(pattern.find('}', open), pattern.size() - 1);
  std::vector<std::string> names;
  const std::vector<std::string> tails = Expand(pattern.substr(close + 1));
  const auto add = [&](std::string_view part) {
    for (const std::string& tail : tails) {
      names.push_back(std::string(pattern.substr(0, open)).append(part).append(tail));
    }
  };
  for (const std::string_view part : Split(pattern.substr(open + 1, close - open - 1), ",")) {
    const std::optional<Range> range = RangeIn(part);
    if (!range) add(part);
    for (std::uint64_t i = range ? range->first : 1; range && i <= range->last; ++i) {
      add(std::to_string(i));
    }
  }
  return names;
}

}  // namespace ggufgate::published

#pragma once

// Helpers for parsing recipes.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate::published {

[[nodiscard]] std::string_view Trim(std::string_view text);

// TakeWord removes the first word and returns it.
std::string_view TakeWord(std::string_view& text);

// Split returns the parts between any of the separators, trimmed, without empty ones.
[[nodiscard]] std::vector<std::string_view> Split(std::string_view text,
                                                  std::string_view separators);

template <typename T>
[[nodiscard]] std::optional<T> NumberIn(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Range is `A..B` or `A`.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

[[nodiscard]] std::optional<Range> RangeIn(std::string_view text);

// Expand returns the names that a pattern describes: `{0..3,7}` is one number after the other,
// `{weight,bias}` one word after the other.
[[nodiscard]] std::vector<std::string> Expand(std::string_view pattern);

}  // namespace ggufgate::published

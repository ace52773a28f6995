#pragma once

// TOML for the policy parser: a small tree with positions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// TextPlace is a position in a text file, counted from 1. Columns are characters.
struct TextPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

// TextProblem is an error at a position, in words. Text of the file in it is not escaped.
struct TextProblem {
  TextPlace at;
  std::string what;
};

struct TomlEntry;

// TomlValue is a value or a table. Values nested deeper than kDeepestToml have no content, because
// no policy is nested so deeply.
struct TomlValue {
  enum class Kind : std::uint8_t { kString, kInteger, kFloat, kBoolean, kDate, kArray, kTable };

  Kind kind = Kind::kTable;
  TextPlace at;
  std::string text = {};            // of a string: UTF-8
  std::int64_t integer = 0;         // of an integer
  std::vector<TomlValue> elements;  // of an array
  std::vector<TomlEntry> entries;   // of a table, sorted by position
};

struct TomlEntry {
  std::string key;
  TextPlace at;  // of the key
  TomlValue value;
};

inline constexpr int kDeepestToml = 4;

// WordFor returns the name of a kind, such as "an integer".
[[nodiscard]] std::string_view WordFor(TomlValue::Kind kind);

// TomlDocument is a parsed document, or the problem that stopped parsing.
struct TomlDocument {
  TomlValue root;  // a table
  std::vector<TextProblem> problems = {};
};

// ParseToml parses TOML 1.0. It accepts any text, and its stack use is bounded.
[[nodiscard]] TomlDocument ParseToml(std::string_view text);

}  // namespace ggufgate

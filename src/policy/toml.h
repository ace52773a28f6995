#pragma once

// TOML as the policy reader wants it: a small tree with places.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

// TextPlace is a place in a text file, counted from 1; columns are characters.
struct TextPlace {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

// TextProblem is something wrong there, in words. Text of the file in it is not escaped.
struct TextProblem {
  TextPlace at;
  std::string what;
};

struct TomlEntry;

// TomlValue is a value or a table. Values nested deeper than kDeepestToml have no content: nothing
// of ours is that deep.
struct TomlValue {
  enum class Kind : std::uint8_t { kString, kInteger, kFloat, kBoolean, kDate, kArray, kTable };

  Kind kind = Kind::kTable;
  TextPlace at;
  std::string text = {};            // of a string: UTF-8
  std::int64_t integer = 0;         // of an integer
  std::vector<TomlValue> elements;  // of an array
  std::vector<TomlEntry> entries;   // of a table, by place
};

struct TomlEntry {
  std::string key;
  TextPlace at;  // of the key
  TomlValue value;
};

inline constexpr int kDeepestToml = 4;

// WordFor names a kind for people: "an integer".
[[nodiscard]] std::string_view WordFor(TomlValue::Kind kind);

// TomlDocument is a document taken apart, or the problem that stopped the reading.
struct TomlDocument {
  TomlValue root;  // a table
  std::vector<TextProblem> problems = {};
};

// ParseToml reads TOML 1.0. Total on every text, and its stack is bounded whatever the text is.
[[nodiscard]] TomlDocument ParseToml(std::string_view text);

}  // namespace ggufgate

#include "gate/toml.h"

#include <algorithm>

#include "bytes/bytes.h"
#include "bytes/utf8.h"

// The only file that sees toml++ (3.3 in Debian 12). Without exceptions a parse error is a value.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_UNRELEASED_FEATURES 0
// Arrays and inline tables in each other; a policy has 2.
#define TOML_MAX_NESTED_VALUES 8
// Where it asserts, toml++ tells a release build to assume; "[[[" breaks such an assumption in 3.3,
// and anything may happen then. Without NDEBUG it asks us, and goes on to its own error messages.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

namespace ggufgate {
namespace {

// Each dot of a key makes a table in a table, and toml++ 3.3 takes tables apart by recursion and
// knows no bound for dots. A key stands on one line: so a bound for the dots of a line bounds the
// depth, to this times TOML_MAX_NESTED_VALUES and once more. Dots in strings count as well, which
// spares us a second reader of strings.
constexpr std::ptrdiff_t kMostDots = 64;

TextPlace PlaceOf(const toml::source_region& region, TextPlace otherwise) {
  const toml::source_position begin = region.begin;
  return begin ? TextPlace{.line = begin.line, .column = begin.column} : otherwise;
}

TomlValue::Kind KindOf(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return TomlValue::Kind::kTable;
    case toml::node_type::array:
      return TomlValue::Kind::kArray;
    case toml::node_type::string:
      return TomlValue::Kind::kString;
    case toml::node_type::integer:
      return TomlValue::Kind::kInteger;
    case toml::node_type::floating_point:
      return TomlValue::Kind::kFloat;
    case toml::node_type::boolean:
      return TomlValue::Kind::kBoolean;
    default:
      return TomlValue::Kind::kDate;
  }
}

// ValueOf copies a node. It recurses at most kDeepestToml times.
TomlValue ValueOf(const toml::node& node, TextPlace otherwise, int depth) {
  TomlValue value{.kind = KindOf(node), .at = PlaceOf(node.source(), otherwise)};
  if (const auto* text = node.as_string()) value.text = text->get();
  if (const auto* integer = node.as_integer()) value.integer = integer->get();
  if (depth == kDeepestToml) return value;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      value.elements.push_back(ValueOf(element, value.at, depth + 1));
    }
  }
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, element] : *table) {
      const TextPlace at = PlaceOf(key.source(), value.at);
      value.entries.push_back({std::string(key.str()), at, ValueOf(element, at, depth + 1)});
    }
    std::ranges::sort(value.entries, {}, &TomlEntry::at);
  }
  return value;
}

// TooDeep finds the first line with more dots than a key may have.
std::vector<TextProblem> TooDeep(std::string_view text) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    if (std::ranges::count(rest, '.') <= kMostDots) continue;
    return {{{.line = line, .column = 1},
             "more than " + std::to_string(kMostDots) + " dots in one line: no key is that deep"}};
  }
  return {};
}

// NotText finds the first byte that is no UTF-8. toml++ finds it too, but reads 32 bytes at a time
// and does not know where it stands.
std::vector<TextProblem> NotText(std::string_view text) {
  const std::size_t good = Utf8PrefixLength(AsBytes(text));
  if (good == text.size()) return {};
  const std::string_view ahead = text.substr(0, good);
  const std::string_view line = ahead.substr(ahead.rfind('\n') + 1);  // npos + 1 is 0
  const auto begins_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  };
  return {
      {{.line = static_cast<std::uint32_t>(std::ranges::count(ahead, '\n') + 1),
        .column = static_cast<std::uint32_t>(std::ranges::count_if(line, begins_character) + 1)},
       "this is no UTF-8 text"}};
}

}  // namespace

std::string_view WordFor(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kString:
      return "a string";
    case TomlValue::Kind::kInteger:
      return "an integer";
    case TomlValue::Kind::kFloat:
      return "a float";
    case TomlValue::Kind::kBoolean:
      return "a boolean";
    case TomlValue::Kind::kDate:
      return "a date or time";
    case TomlValue::Kind::kArray:
      return "an array";
    case TomlValue::Kind::kTable:
      return "a table";
  }
  return "";
}

TomlDocument ParseToml(std::string_view text) {
  TomlDocument document;
  document.problems = NotText(text);
  if (document.problems.empty()) document.problems = TooDeep(text);
  if (!document.problems.empty()) return document;
  const toml::parse_result parsed = toml::parse(text);
  if (parsed.failed()) {
    const toml::parse_error& error = parsed.error();
    document.problems.push_back({PlaceOf(error.source(), {}), std::string(error.description())});
    return document;
  }
  document.root = ValueOf(parsed.table(), {}, 0);
  return document;
}

}  // namespace ggufgate

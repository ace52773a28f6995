// Python's two ways of formatting, for constants.

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include "jinja/syntax/strings.h"

namespace ggufgate {
namespace {

// IndexOf returns the number of a field, or nullopt if the field has a name.
std::optional<std::size_t> IndexOf(std::string_view name) {
  std::size_t index = 0;
  for (const char c : name) {
    if (c < '0' || c > '9' || index > 1'000'000) return std::nullopt;
    index = index * 10 + static_cast<std::size_t>(c - '0');
  }
  return name.empty() ? std::nullopt : std::optional(index);
}

// TextOf formats an argument for a type letter.
std::string TextOf(const FormatArgument& argument, char type) {
  std::string out;
  if (type == 'c' && argument.number) {
    AppendCodePoint(out, static_cast<std::uint64_t>(*argument.number));
    return out;
  }
  if (!argument.number) return argument.text;
  std::array<char, 24> digits{};
  const int base = type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : 10;
  const auto end =
      std::to_chars(digits.data(), std::to_address(digits.end()), *argument.number, base).ptr;
  return {digits.data(), static_cast<std::size_t>(end - digits.data())};
}

const FormatArgument* Positional(const std::vector<FormatArgument>& arguments, std::size_t index) {
  for (const FormatArgument& argument : arguments) {
    if (argument.name.empty() && index-- == 0) return &argument;
  }
  return nullptr;
}

const FormatArgument* Named(const std::vector<FormatArgument>& arguments, std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &FormatArgument::name);
  return found == arguments.end() ? nullptr : &*found;
}

std::string TextOrHole(const FormatArgument* argument, char type) {
  return argument == nullptr ? std::string(1, kHole) : TextOf(*argument, type);
}

}  // namespace

std::string FormatPercent(std::string_view pattern, const std::vector<FormatArgument>& arguments) {
  std::string out;
  std::size_t next = 0;
  while (!pattern.empty()) {
    const std::size_t percent = pattern.find('%');
    out += pattern.substr(0, percent);
    if (percent == std::string_view::npos) break;
    pattern.remove_prefix(percent + 1);
    std::string_view name;
    if (pattern.starts_with('(')) {
      const std::size_t close = std::min(pattern.find(')'), pattern.size() - 1);
      name = pattern.substr(1, close - 1);
      pattern.remove_prefix(close + 1);
    }
    pattern.remove_prefix(std::min(pattern.find_first_not_of("#0123456789-+. "), pattern.size()));
    if (pattern.empty()) break;
    const char type = pattern.front();
    pattern.remove_prefix(1);
    if (type == '%') {
      out += '%';
    } else if (!name.empty()) {
      out += TextOrHole(Named(arguments, name), type);
    } else {
      out += TextOrHole(Positional(arguments, next++), type);
    }
  }
  return out;
}

namespace {

// Field is the part of a str.format pattern between braces: name, conversion, format.
struct Field {
  std::string_view name;
  char type = 's';
};

Field FieldOf(std::string_view inside) {
  Field field{.name = inside.substr(0, inside.find_first_of("!:"))};
  if (inside.find(':') != std::string_view::npos) field.type = inside.back();
  return field;
}

// NextField moves `pattern` past its next field and appends the text before it. It returns nullopt
// at the end.
std::optional<Field> NextField(std::string_view& pattern, std::string& out) {
  while (!pattern.empty()) {
    const std::size_t brace = pattern.find_first_of("{}");
    out += pattern.substr(0, brace);
    if (brace == std::string_view::npos) break;
    const bool doubled = brace + 1 < pattern.size() && pattern.at(brace + 1) == pattern.at(brace);
    const bool opens = pattern.at(brace) == '{' && !doubled;
    if (!opens) out += pattern.at(brace);
    pattern.remove_prefix(brace + (doubled ? 2 : 1));
    if (!opens) continue;
    const std::size_t close = std::min(pattern.find('}'), pattern.size());
    const Field field = FieldOf(pattern.substr(0, close));
    pattern.remove_prefix(std::min(close + 1, pattern.size()));
    return field;
  }
  pattern = {};
  return std::nullopt;
}

}  // namespace

std::string FormatBraces(std::string_view pattern, const std::vector<FormatArgument>& arguments) {
  std::string out;
  std::size_t next = 0;
  while (const auto field = NextField(pattern, out)) {
    const auto index = IndexOf(field->name);
    if (field->name.empty()) {
      out += TextOrHole(Positional(arguments, next++), field->type);
    } else if (index) {
      out += TextOrHole(Positional(arguments, *index), field->type);
    } else {
      out += TextOrHole(Named(arguments, field->name), field->type);
    }
  }
  return out;
}

// Formats of fields may contain fields, so a field ends at its closing bracket.
std::vector<std::string_view> FieldParts(std::string_view pattern) {
  std::vector<std::string_view> parts;
  std::size_t depth = 0;
  for (std::size_t at = pattern.find_first_of("{}"); at < pattern.size();
       at = pattern.find_first_of(depth > 0 ? "{}.[" : "{}", at + 1)) {
    const char c = pattern.at(at);
    const bool doubled = depth == 0 && pattern.substr(at + 1).starts_with(c);
    if (doubled) {
      ++at;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else {
      const std::string_view rest = pattern.substr(at + 1);
      parts.push_back(rest.substr(0, rest.find_first_of(".[]{}!:")));
      // After `[`, Python reads everything up to `]` as a key.
      if (c == '[') at = std::min(pattern.find(']', at), pattern.size() - 1);
    }
  }
  return parts;
}

}  // namespace ggufgate

#include "jinja/syntax/strings.h"

#include <algorithm>
#include <array>
#include <utility>

#include "bytes/utf8.h"

namespace ggufgate {
namespace {

std::optional<std::uint64_t> NumberOf(std::string_view digits, int base) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    const char lower = static_cast<char>(c | 0x20);
    const int digit = c >= '0' && c <= '9'           ? c - '0'
                      : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                     : base;
    if (digit >= base) return std::nullopt;
    value = value * static_cast<std::uint64_t>(base) + static_cast<std::uint64_t>(digit);
  }
  return digits.empty() ? std::nullopt : std::optional(value);
}

// NamedCharacter returns the character of a Unicode name, if it may be part of an identifier, else
// 0.
char NamedCharacter(std::string_view name) {
  std::string upper(name);
  std::ranges::transform(upper, upper.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  if (upper == "LOW LINE") return '_';
  if (upper == "FULL STOP") return '.';
  static constexpr std::array<std::string_view, 10> kDigits = {
      "ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"};
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    if (upper == "DIGIT " + std::string(kDigits.at(i))) return static_cast<char>('0' + i);
  }
  for (const auto& [prefix, base] :
       {std::pair<std::string_view, char>("LATIN SMALL LETTER ", 'a'),
        std::pair<std::string_view, char>("LATIN CAPITAL LETTER ", 'A')}) {
    if (upper.starts_with(prefix) && upper.size() == prefix.size() + 1 && upper.back() >= 'A' &&
        upper.back() <= 'Z') {
      return static_cast<char>(base + (upper.back() - 'A'));
    }
  }
  return '\0';
}

// SimpleEscape returns the character of \n and similar escapes, or nullopt for other letters.
std::optional<char> SimpleEscape(char c) {
  static constexpr std::string_view kLetters = "abfnrtv\\'\"";
  static constexpr std::string_view kCharacters = "\a\b\f\n\r\t\v\\'\"";
  const std::size_t at = kLetters.find(c);
  return at == std::string_view::npos ? std::nullopt : std::optional(kCharacters.at(at));
}

// AppendEscape reads the escape after whose backslash `rest` begins, and returns its length.
std::size_t AppendEscape(std::string& out, std::string_view rest) {
  const char c = rest.front();
  if (c == '\n') return 1;
  if (c == '\r') return rest.starts_with("\r\n") ? 2 : 1;
  if (const auto simple = SimpleEscape(c)) {
    out += *simple;
    return 1;
  }
  const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (const auto value = NumberOf(rest.substr(1, digits), 16);
      digits > 0 && rest.size() > digits && value) {
    AppendCodePoint(out, *value);
    return 1 + digits;
  }
  if (c >= '0' && c <= '7') {
    std::size_t length = 1;
    while (length < 3 && length < rest.size() && rest.at(length) >= '0' && rest.at(length) <= '7') {
      ++length;
    }
    AppendCodePoint(out, NumberOf(rest.substr(0, length), 8).value_or(0));
    return length;
  }
  if (rest.starts_with("N{")) {
    if (const std::size_t close = rest.find('}'); close != std::string_view::npos) {
      const char named = NamedCharacter(rest.substr(2, std::min<std::size_t>(close - 2, 64)));
      out += named == '\0' ? kHole : named;
      return close + 1;
    }
  }
  (out += '\\') += c;  // Python keeps invalid escapes
  return 1;
}

}  // namespace

void AppendCodePoint(std::string& out, std::uint64_t code_point) {
  if (code_point < 0x11'0000) {
    AppendUtf8(static_cast<char32_t>(code_point), out);
  } else {
    out += kHole;
  }
}

std::string DecodeLiteral(std::string_view literal) {
  const char quote = literal.front();
  literal.remove_prefix(1);
  if (!literal.empty() && literal.back() == quote) literal.remove_suffix(1);
  std::string out;
  while (!literal.empty()) {
    const std::size_t plain = std::min(literal.find('\\'), literal.size());
    out += literal.substr(0, plain);
    literal.remove_prefix(plain);
    if (literal.size() < 2) break;  // empty, or the lone backslash of an unclosed string
    literal.remove_prefix(1);
    literal.remove_prefix(AppendEscape(out, literal));
  }
  return out;
}

std::vector<std::string_view> Characters(std::string_view text) {
  std::vector<std::string_view> characters;
  while (!text.empty()) {
    const std::string_view before = text;
    // Python's strings may contain surrogates, which escapes can write.
    (void)TakeCharacter(text, Surrogates::kTaken);
    characters.push_back(before.substr(0, before.size() - text.size()));
  }
  return characters;
}

std::string SliceText(std::string_view text, std::optional<std::int64_t> begin,
                      std::optional<std::int64_t> end, std::int64_t step) {
  const std::vector<std::string_view> characters = Characters(text);
  const auto size = static_cast<std::int64_t>(characters.size());
  if (step == 0) return {};
  // In Python, an index below 0 counts from the end; then both are clamped to the text.
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? size : size - 1;
  const auto place = [&](std::optional<std::int64_t> index, std::int64_t otherwise) {
    if (!index) return otherwise;
    const std::int64_t from_start = *index < 0 ? std::max(*index, -size - 1) + size : *index;
    return std::clamp(from_start, low, high);
  };
  const std::int64_t first = place(begin, step > 0 ? low : high);
  const std::int64_t last = place(end, step > 0 ? high : low);
  const std::int64_t stride = std::clamp(step, -size - 1, size + 1);
  std::string out;
  for (std::int64_t i = first; stride > 0 ? i < last : i > last; i += stride) {
    out += characters.at(static_cast<std::size_t>(i));
  }
  return out;
}

std::string ReplaceAll(std::string_view text, std::string_view from, std::string_view to) {
  if (from.empty()) return std::string(text);
  std::string out;
  while (true) {
    const std::size_t at = text.find(from);
    out += text.substr(0, at);
    if (at == std::string_view::npos) return out;
    out += to;
    text.remove_prefix(at + from.size());
  }
}

}  // namespace ggufgate

#include "policy/toml_scalars.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace ggufgate::internal {
namespace {

using Kind = TomlValue::Kind;

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsOctal(char c) { return c >= '0' && c <= '7'; }
constexpr bool IsBinary(char c) { return c == '0' || c == '1'; }
constexpr bool IsHex(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool IsOfWord(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '+' ||
         c == '-' || c == '.' || c == ':';
}

bool TakeAnyOf(std::string_view& text, std::string_view any) {
  if (text.empty() || any.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

// TakeDigits reads digits with single underscores between them. It returns an empty text if there
// are no digits, or if an underscore is not between two digits.
std::string TakeDigits(std::string_view& text, bool (*is_digit)(char)) {
  std::string digits;
  bool after_digit = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (!is_digit(c) && !(c == '_' && after_digit)) break;
    after_digit = is_digit(c);
    if (after_digit) digits += c;
  }
  return after_digit ? digits : std::string();
}

// --- dates and times, in the format of RFC 3339 --------------------------------------------------

// TakeNumber reads exactly `digits` digits of a number from `least` to `most`.
bool TakeNumber(std::string_view& text, std::size_t digits, int least, int most, int& number) {
  if (text.size() < digits || !std::ranges::all_of(text.substr(0, digits), IsDigit)) return false;
  number = 0;
  for (const char c : text.substr(0, digits)) number = number * 10 + (c - '0');
  text.remove_prefix(digits);
  return number >= least && number <= most;
}

bool TakeDate(std::string_view& text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!TakeNumber(text, 4, 0, 9999, year) || !TakeAnyOf(text, "-") ||
      !TakeNumber(text, 2, 1, 12, month) || !TakeAnyOf(text, "-") ||
      !TakeNumber(text, 2, 1, 31, day)) {
    return false;
  }
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  if (month == 2) return day <= (leap ? 29 : 28);
  const bool short_month = month == 4 || month == 6 || month == 9 || month == 11;
  return day <= (short_month ? 30 : 31);
}

bool TakeHourAndMinute(std::string_view& text) {
  int number = 0;
  return TakeNumber(text, 2, 0, 23, number) && TakeAnyOf(text, ":") &&
         TakeNumber(text, 2, 0, 59, number);
}

bool TakeTime(std::string_view& text) {
  int second = 0;
  if (!TakeHourAndMinute(text) || !TakeAnyOf(text, ":") || !TakeNumber(text, 2, 0, 59, second)) {
    return false;
  }
  if (!TakeAnyOf(text, ".")) return true;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  return digits != 0;
}

bool IsDateOrTime(std::string_view text) {
  if (text.substr(2, 1) == ":") return TakeTime(text) && text.empty();
  if (!TakeDate(text)) return false;
  if (text.empty()) return true;
  if (!TakeAnyOf(text, "Tt ") || !TakeTime(text)) return false;
  if (text.empty() || TakeAnyOf(text, "Zz")) return text.empty();
  return TakeAnyOf(text, "+-") && TakeHourAndMinute(text) && text.empty();
}

bool BeginsLikeDate(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return (digits == 4 && text.substr(4, 1) == "-") || (digits == 2 && text.substr(2, 1) == ":");
}

// --- numbers -------------------------------------------------------------------------------------

bool IsFloat(std::string_view text) {
  TakeAnyOf(text, "+-");
  if (text == "inf" || text == "nan") return true;
  const std::string whole = TakeDigits(text, &IsDigit);
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return false;
  const bool has_fraction = TakeAnyOf(text, ".");
  if (has_fraction && TakeDigits(text, &IsDigit).empty()) return false;
  const bool has_exponent = TakeAnyOf(text, "eE");
  if (has_exponent) TakeAnyOf(text, "+-");
  if (has_exponent && TakeDigits(text, &IsDigit).empty()) return false;
  return text.empty() && (has_fraction || has_exponent);
}

// IntegerDigits returns the digits of an integer for std::from_chars, or an empty text for any
// other text.
std::string IntegerDigits(std::string_view text, int& base) {
  struct Notation {
    std::string_view prefix;
    int base;
    bool (*is_digit)(char);
  };
  for (const Notation& notation :
       {Notation{"0x", 16, &IsHex}, Notation{"0o", 8, &IsOctal}, Notation{"0b", 2, &IsBinary}}) {
    if (!text.starts_with(notation.prefix)) continue;
    base = notation.base;
    text.remove_prefix(notation.prefix.size());
    std::string digits = TakeDigits(text, notation.is_digit);
    return text.empty() ? digits : std::string();
  }
  base = 10;
  const bool negative = text.starts_with('-');
  TakeAnyOf(text, "+-");
  const std::string digits = TakeDigits(text, &IsDigit);
  if (!text.empty() || digits.empty() || (digits.size() > 1 && digits.front() == '0')) return {};
  return negative ? "-" + digits : digits;
}

}  // namespace

std::optional<TomlScalar> ReadTomlScalar(TomlCursor& in) {
  const TextPlace at = in.Here();
  std::string word(in.TakeWhile(&IsOfWord));
  if (word.empty() && (in.AtEnd() || in.Peek() == '\n' || in.Peek() == '\r')) {
    in.FailExpected("a key-value pair", "a value");
    return std::nullopt;
  }
  if (word == "true" || word == "false") return TomlScalar{.kind = Kind::kBoolean};
  if (BeginsLikeDate(word)) {
    // A time may follow its date and a space. Otherwise only a comment may follow.
    if (in.Peek() == ' ' && IsDigit(in.Peek(1))) {
      in.Skip(1);
      word += ' ';
      word += in.TakeWhile(&IsOfWord);
    }
    if (IsDateOrTime(word)) return TomlScalar{.kind = Kind::kDate};
    in.Fail(at, "this is not a date or a time");
    return std::nullopt;
  }
  int base = 0;
  const std::string digits = IntegerDigits(word, base);
  if (!digits.empty()) {
    TomlScalar scalar{.kind = Kind::kInteger};
    const auto [end, error] = std::from_chars(std::to_address(digits.begin()),
                                              std::to_address(digits.end()), scalar.integer, base);
    if (error == std::errc()) return scalar;
    in.Fail(at, "this number does not fit into 64 bits");
    return std::nullopt;
  }
  if (IsFloat(word)) return TomlScalar{.kind = Kind::kFloat};
  in.Fail(at, "this value is not a number, true, false or a text in double quotes");
  return std::nullopt;
}

}  // namespace ggufgate::internal

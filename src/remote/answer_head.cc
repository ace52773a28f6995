#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>

#include "remote/answer.h"

namespace ggufgate {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EqualIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::ranges::equal(text, lower, {}, Lower);
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

// StatusIn parses "HTTP/1.1 206 Partial Content". It returns 0 for an invalid line.
int StatusIn(std::string_view line) {
  constexpr std::size_t kDigits = 3;
  const std::string_view rest = line.substr(std::min(line.find(' '), line.size()));
  if (rest.size() <= kDigits) return 0;
  int status = 0;
  const std::string_view digits = rest.substr(1, kDigits);
  const char* const end = std::to_address(digits.end());
  const auto [stop, error] = std::from_chars(std::to_address(digits.begin()), end, status);
  return error == std::errc() && stop == end ? status : 0;
}

// TakeNumber removes a number from the front of `text`.
std::optional<std::uint64_t> TakeNumber(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::optional<std::uint64_t> number = ParseSize(text.substr(0, end));
  text.remove_prefix(end);
  return number;
}

bool TakeText(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace

bool AnswerHead::Take(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    const std::size_t bytes = bytes_;
    *this = {};
    bytes_ = bytes;
    status_ = StatusIn(line);
  }
  bytes_ += line.size();
  if (bytes_ > kMostBytes) return false;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return true;
  const std::string_view name = line.substr(0, colon);
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if (!EqualIgnoringCase(name, kFields.at(i))) continue;
    const std::string_view value = Trimmed(line.substr(colon + 1));
    if (came_.at(i) && values_.at(i) != value) contradicted_ = kFields.at(i);
    came_.at(i) = true;
    values_.at(i) = std::string(value);
  }
  return true;
}

const std::string& AnswerHead::Field(std::string_view name) const {
  static const std::string kNone;
  const auto* const found = std::ranges::find(kFields, name);
  return found == kFields.end() ? kNone
                                : values_.at(static_cast<std::size_t>(found - kFields.begin()));
}

std::optional<std::uint64_t> ParseSize(std::string_view text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const auto [stop, error] =
      std::from_chars(std::to_address(text.begin()), std::to_address(text.end()), number);
  if (error != std::errc() || number >= std::uint64_t{1} << 63) return std::nullopt;
  return number;
}

std::optional<ContentRange> ParseContentRange(std::string_view text) {
  if (!TakeText(text, "bytes ")) return std::nullopt;
  ContentRange result;
  std::optional<std::uint64_t> last;
  if (!TakeText(text, "*")) {
    const std::optional<std::uint64_t> first = TakeNumber(text);
    if (!first || !TakeText(text, "-")) return std::nullopt;
    last = TakeNumber(text);
    if (!last || *last < *first) return std::nullopt;
    result.range = ByteRange{.begin = *first, .size = *last - *first + 1};
  }
  if (!TakeText(text, "/")) return std::nullopt;
  const std::optional<std::uint64_t> total = TakeNumber(text);
  if (!total || !text.empty() || (last && *last >= *total)) return std::nullopt;
  result.total = *total;
  return result;
}

std::optional<std::int64_t> HttpDate(std::string_view text) {
  constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  // A letter matches any letter, except in GMT; digits are parsed below. The text is sent back to
  // servers, so no other character may occur.
  constexpr std::string_view kForm = "Aaa, 00 Aaa 0000 00:00:00 GMT";
  const auto fits = [](char c, char form) {
    const bool letter = Lower(c) >= 'a' && Lower(c) <= 'z';
    return form == '0' || (form == 'A' || form == 'a' ? letter : c == form);
  };
  if (!std::ranges::equal(text, kForm, fits)) return std::nullopt;
  const auto number = [text](std::size_t at, std::size_t digits) {
    return ParseSize(text.substr(at, digits));
  };
  const auto* const month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto day = number(5, 2);
  const auto year = number(12, 4);
  const auto hour = number(17, 2);
  const auto minute = number(20, 2);
  const auto second = number(23, 2);
  if (month == kMonths.end() || !day || !year || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date(
      std::chrono::year(static_cast<int>(*year)),
      std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
      std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const std::chrono::seconds since = std::chrono::sys_days(date).time_since_epoch();
  const std::chrono::seconds of_day =
      std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
  return (since + of_day).count();
}

}  // namespace ggufgate

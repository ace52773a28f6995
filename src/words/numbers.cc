#include "words/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <span>
#include <string_view>

namespace ggufgate {
namespace {

// Fixed formats a number with `decimals` decimals, rounded like printf().
std::string Fixed(double value, int decimals) {
  // MemorySanitizer does not see the writes of to_chars(), which is compiled into the standard
  // library. So the array is zeroed, and the end is the first zero. 18446744073709551615.0 fits.
  std::array<char, 32> text{};
  std::to_chars(text.data(), std::to_address(text.end()), value, std::chars_format::fixed,
                decimals);
  return {text.begin(), std::ranges::find(text, '\0')};
}

// Scaled formats `value` in powers of a thousand, with three significant digits.
std::string Scaled(double value, std::span<const std::string_view> units) {
  constexpr double kStep = 1000;
  constexpr double kRoundsUp = 999.5;  // would be printed as 1000
  std::size_t unit = 0;
  while (value >= kRoundsUp && unit + 1 < units.size()) {
    value /= kStep;
    ++unit;
  }
  constexpr double kOneDigit = 9.95;  // without a decimal from here on
  const int decimals = unit > 0 && value < kOneDigit ? 1 : 0;
  return Fixed(value, decimals).append(units[unit]);
}

}  // namespace

std::string HumanBytes(std::uint64_t bytes) {
  constexpr std::uint64_t kExact = 10'000;
  if (bytes == 1) return "1 byte";
  if (bytes < kExact) return Grouped(bytes) + " bytes";
  constexpr std::array<std::string_view, 7> kUnits = {" bytes", " kB", " MB", " GB",
                                                      " TB",    " PB", " EB"};
  return Scaled(static_cast<double>(bytes), kUnits);
}

std::string HumanCount(std::uint64_t count) {
  constexpr std::array<std::string_view, 5> kUnits = {"", "K", "M", "B", "T"};
  return Scaled(static_cast<double>(count), kUnits);
}

std::string HumanTime(std::chrono::nanoseconds time) {
  const double milliseconds = std::chrono::duration<double, std::milli>(time).count();
  constexpr double kSecond = 1000;
  constexpr double kRoundsUp = 999.5;  // would be printed as 1000 ms
  if (milliseconds >= kRoundsUp) return Fixed(milliseconds / kSecond, 1) + " s";
  constexpr double kOneDigit = 9.95;
  return Fixed(milliseconds, milliseconds < kOneDigit ? 1 : 0) + " ms";
}

std::string Hex(std::uint64_t number, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (; number > 0 || text.size() < digits; number >>= 4) text += kDigits.at(number & 0xF);
  std::ranges::reverse(text);
  return text;
}

}  // namespace ggufgate

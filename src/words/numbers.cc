#include "words/numbers.h"

#include <array>
#include <span>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace ggufgate {
namespace {

// Scaled writes `value` in thousands of thousands, with three significant digits.
std::string Scaled(double value, std::span<const std::string_view> units) {
  constexpr double kStep = 1000;
  constexpr double kRoundsUp = 999.5;  // would print as 1000
  std::size_t unit = 0;
  while (value >= kRoundsUp && unit + 1 < units.size()) {
    value /= kStep;
    ++unit;
  }
  constexpr double kOneDigit = 9.95;  // from here on without a decimal
  const int decimals = unit > 0 && value < kOneDigit ? 1 : 0;
  return absl::StrFormat("%.*f%s", decimals, value, std::string(units[unit]));
}

}  // namespace

std::string Grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string HumanBytes(std::uint64_t bytes) {
  constexpr std::uint64_t kExact = 10'000;
  if (bytes == 1) return "1 byte";
  if (bytes < kExact) return absl::StrCat(Grouped(bytes), " bytes");
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
  constexpr double kRoundsUp = 999.5;  // would print as 1000 ms
  if (milliseconds >= kRoundsUp) return absl::StrFormat("%.1f s", milliseconds / kSecond);
  constexpr double kOneDigit = 9.95;
  return absl::StrFormat("%.*f ms", milliseconds < kOneDigit ? 1 : 0, milliseconds);
}

}  // namespace ggufgate

#pragma once

#include <cstdint>
#include <string>

namespace ggufgate {

// Grouped prints a number with separators for thousands: "1,234,567".
[[nodiscard]] inline std::string Grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

// GroupedSigned does the same for a signed number.
[[nodiscard]] inline std::string GroupedSigned(std::int64_t number) {
  if (number >= 0) return Grouped(static_cast<std::uint64_t>(number));
  return "-" + Grouped(-static_cast<std::uint64_t>(number));
}

}  // namespace ggufgate

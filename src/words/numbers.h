#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "bytes/grouped.h"  // for all files that format numbers

namespace ggufgate {

// HumanBytes formats a number of bytes: "1 byte", "4,112 bytes", "807 MB", "4.1 GB" (powers of
// 1000).
[[nodiscard]] std::string HumanBytes(std::uint64_t bytes);

// HumanCount formats a count: "97", "320K", "1.2B".
[[nodiscard]] std::string HumanCount(std::uint64_t count);

// HumanTime formats a duration: "0.4 ms", "12 ms", "3.1 s".
[[nodiscard]] std::string HumanTime(std::chrono::nanoseconds time);

// Hex formats a number in base 16, lower case, with leading zeros up to `digits`: "0a", "2028".
[[nodiscard]] std::string Hex(std::uint64_t number, std::size_t digits = 1);

}  // namespace ggufgate

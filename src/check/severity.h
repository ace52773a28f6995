#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// Severity of a finding, in rising order. Findings of kOff rules are not reported.
enum class Severity : std::uint8_t { kOff, kNote, kWarning, kError };
inline constexpr std::size_t kSeverityCount = 4;

[[nodiscard]] constexpr std::string_view WordFor(Severity severity) {
  switch (severity) {
    case Severity::kOff:
      return "off";
    case Severity::kNote:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

}  // namespace ggufgate

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ggufgate {

// Consequence is the worst effect of a file that breaks a rule on a loader without the check.
enum class Consequence : std::uint8_t {
  kNone,     // the file is unusual, or is refused
  kMisread,  // two programs read different models, or one reads unintended values
  kCrash,    // the loader crashes, hangs, or uses all memory
  kLeak,     // it reads out of bounds
  kMemory,   // it writes out of bounds
  kCode,     // it runs code of the file's author
};

// ConsequenceInfo rates a consequence as the Common Vulnerability Scoring System 3.1 does for a
// file that a user opens (FIRST, "CVSS v3.1 User Guide", 3.8): local, low complexity, no
// privileges, user interaction. The score follows from the vector; a test computes it.
struct ConsequenceInfo {
  std::string_view word;
  std::string_view what;
  std::string_view vector;
  std::string_view score;
};

inline constexpr std::array<ConsequenceInfo, 6> kConsequences = {{
    {"none", "", "", ""},
    {"misread", "programs misread it", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:L/A:N", "3.3"},
    {"crash", "the loader crashes or hangs", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:N/A:H", "5.5"},
    {"leak", "memory is read out of bounds", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:H", "7.1"},
    {"memory", "memory is corrupted", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H", "7.8"},
    {"code", "code of the author runs", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H", "7.8"},
}};

[[nodiscard]] constexpr const ConsequenceInfo& InfoOf(Consequence consequence) {
  return kConsequences.at(static_cast<std::size_t>(consequence));
}

// Weakness classifies a loader that such a file harms: a number in the Common Weakness Enumeration
// (cwe.mitre.org), and the consequence.
struct Weakness {
  std::uint16_t cwe = 0;  // 0: no weakness
  Consequence consequence = Consequence::kNone;

  [[nodiscard]] constexpr bool any() const { return cwe != 0; }
};

}  // namespace ggufgate

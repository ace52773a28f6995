#pragma once

#include <cstdint>

namespace ggufgate {

// CharacterKind is the reason why users do not see a character as it is in the bytes. Source:
// Unicode 15, UnicodeData.txt, DerivedCoreProperties.txt and PropList.txt.
enum class CharacterKind : std::uint8_t {
  kPlain,      // all others
  kControl,    // general category Cc
  kInvisible,  // Default_Ignorable_Code_Point, except kDirection: zero-width characters,
               // fillers, variation selectors, tags, the byte order mark
  kDirection,  // Bidi_Control (Trojan Source, CVE-2021-42574); all are also default ignorable
  kFormat,     // changes or separates its neighbours: Cf, Zl, Zp, and noncharacters
};

[[nodiscard]] CharacterKind KindOf(char32_t character);

// IsCombiningMark returns whether a character is drawn above, below or around the one before it,
// outside earlier marks. Source: Unicode, general categories Mn and Me.
[[nodiscard]] bool IsCombiningMark(char32_t character);

// IsSpacingMark returns whether a character belongs to the one before it and is drawn to its left
// or right, as many vowels of Indic scripts are. Source: Unicode, general category Mc.
[[nodiscard]] bool IsSpacingMark(char32_t character);

inline constexpr char32_t kBlankBraille = 0x2800;  // the pattern without dots: looks like a space

// IsBlank returns whether a character is invisible: white space (White_Space of PropList.txt),
// kBlankBraille, and all kinds except kPlain.
[[nodiscard]] bool IsBlank(char32_t character);

}  // namespace ggufgate

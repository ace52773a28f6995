#pragma once

#include <cstdint>

namespace ggufgate {

// CharacterKind says why a reader does not see a character as it stands in the bytes. Source:
// Unicode 15, UnicodeData.txt, DerivedCoreProperties.txt and PropList.txt.
enum class CharacterKind : std::uint8_t {
  kPlain,      // all others
  kControl,    // general category Cc
  kInvisible,  // Default_Ignorable_Code_Point, without those of kDirection: zero-width characters,
               // fillers, variation selectors, tags, the byte order mark
  kDirection,  // Bidi_Control (Trojan Source, CVE-2021-42574); all are default ignorable as well
  kFormat,     // changes or parts what stands beside it: Cf, Zl and Zp, and what is no character
};

[[nodiscard]] CharacterKind KindOf(char32_t character);

// IsCombiningMark: it is drawn over, under or around the character before it, outside of earlier
// marks. Source: Unicode, general categories Mn and Me.
[[nodiscard]] bool IsCombiningMark(char32_t character);

// IsSpacingMark: it belongs to the character before it and is drawn to the left or right of it, as
// many vowels of Indic scripts are. Source: Unicode, general category Mc.
[[nodiscard]] bool IsSpacingMark(char32_t character);

inline constexpr char32_t kBlankBraille = 0x2800;  // the pattern without dots: a space to the eye

// IsBlank: a reader sees nothing: white space (White_Space of PropList.txt), kBlankBraille, and all
// kinds except kPlain.
[[nodiscard]] bool IsBlank(char32_t character);

}  // namespace ggufgate

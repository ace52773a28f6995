#include "bytes/character_kind.h"

#include <algorithm>
#include <array>
#include <span>

namespace ggufgate {
namespace {

using enum CharacterKind;

struct Run {
  char32_t first;
  char32_t last;
  CharacterKind kind;
};

constexpr std::array kRuns = {
    Run{0x0000, 0x001F, kControl},      // C0
    Run{0x007F, 0x009F, kControl},      // delete, C1
    Run{0x00AD, 0x00AD, kInvisible},    // soft hyphen
    Run{0x034F, 0x034F, kInvisible},    // combining grapheme joiner
    Run{0x0600, 0x0605, kFormat},       // Arabic signs around a number
    Run{0x061C, 0x061C, kDirection},    // Arabic letter mark
    Run{0x06DD, 0x06DD, kFormat},       // Arabic end of ayah, encloses a number
    Run{0x070F, 0x070F, kFormat},       // Syriac abbreviation mark
    Run{0x0890, 0x0891, kFormat},       // Arabic currency marks above a number
    Run{0x08E2, 0x08E2, kFormat},       // Arabic disputed end of ayah
    Run{0x115F, 0x1160, kInvisible},    // Hangul fillers
    Run{0x17B4, 0x17B5, kInvisible},    // Khmer inherent vowels
    Run{0x180B, 0x180F, kInvisible},    // Mongolian selectors
    Run{0x200B, 0x200D, kInvisible},    // zero-width space and joiners
    Run{0x200E, 0x200F, kDirection},    // marks
    Run{0x2028, 0x2029, kFormat},       // separators of lines and paragraphs
    Run{0x202A, 0x202E, kDirection},    // embeddings and overrides
    Run{0x2060, 0x2065, kInvisible},    // word joiner, invisible operators
    Run{0x2066, 0x2069, kDirection},    // isolates
    Run{0x206A, 0x206F, kInvisible},    // deprecated format characters
    Run{0x3164, 0x3164, kInvisible},    // Hangul filler
    Run{0xFE00, 0xFE0F, kInvisible},    // variation selectors
    Run{0xFEFF, 0xFEFF, kInvisible},    // byte order mark
    Run{0xFFA0, 0xFFA0, kInvisible},    // halfwidth Hangul filler
    Run{0xFFF0, 0xFFF8, kInvisible},    // not assigned
    Run{0xFFF9, 0xFFFB, kFormat},       // interlinear annotation
    Run{0xFFFE, 0xFFFF, kFormat},       // noncharacters
    Run{0x110BD, 0x110BD, kFormat},     // Kaithi number sign
    Run{0x110CD, 0x110CD, kFormat},     // Kaithi number sign above
    Run{0x13430, 0x1343F, kFormat},     // hieroglyph format controls
    Run{0x1BCA0, 0x1BCA3, kInvisible},  // shorthand format controls
    Run{0x1D173, 0x1D17A, kInvisible},  // musical formatting
    Run{0xE0000, 0xE0FFF, kInvisible},  // tags and further selectors
};
static_assert(std::ranges::is_sorted(kRuns, {}, &Run::first));

struct MarkRun {
  char32_t first;
  char32_t last;
};

#include "bytes/combining_marks.inc"
static_assert(std::ranges::is_sorted(kMarks, {}, &MarkRun::first));
static_assert(std::ranges::is_sorted(kSpacingMarks, {}, &MarkRun::first));

bool IsIn(std::span<const MarkRun> runs, char32_t character) {
  if (character < runs.front().first) return false;
  const auto run = std::ranges::lower_bound(runs, character, {}, &MarkRun::last);
  return run != runs.end() && character >= run->first;
}

// White space that is not in the table above.
bool IsSpace(char32_t c) {
  return c == 0x0020 || c == 0x00A0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

}  // namespace

CharacterKind KindOf(char32_t character) {
  const auto run = std::ranges::lower_bound(kRuns, character, {}, &Run::last);
  return run != kRuns.end() && character >= run->first ? run->kind : kPlain;
}

bool IsCombiningMark(char32_t character) { return IsIn(kMarks, character); }
bool IsSpacingMark(char32_t character) { return IsIn(kSpacingMarks, character); }

bool IsBlank(char32_t character) {
  return IsSpace(character) || character == kBlankBraille || KindOf(character) != kPlain;
}

}  // namespace ggufgate

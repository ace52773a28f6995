#include "words/escape.h"

#include <algorithm>
#include <array>

#include "bytes/utf8.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// Characters that deceive: invisible ones, and those that reorder what stands around them (Trojan
// Source, CVE-2021-42574). Source: Unicode 15, general category Cf, Zl, Zp, and fillers.
constexpr std::array kDeceptive = {
    CodePoints{0x0080, 0x009F},    // C1 controls
    CodePoints{0x00AD, 0x00AD},    // soft hyphen
    CodePoints{0x034F, 0x034F},    // combining grapheme joiner
    CodePoints{0x0600, 0x0605},    // Arabic signs around a number
    CodePoints{0x061C, 0x061C},    // Arabic letter mark
    CodePoints{0x06DD, 0x06DD},    // Arabic end of ayah, encloses a number
    CodePoints{0x070F, 0x070F},    // Syriac abbreviation mark
    CodePoints{0x0890, 0x0891},    // Arabic currency marks above a number
    CodePoints{0x08E2, 0x08E2},    // Arabic disputed end of ayah
    CodePoints{0x115F, 0x1160},    // Hangul fillers
    CodePoints{0x17B4, 0x17B5},    // Khmer inherent vowels
    CodePoints{0x180B, 0x180F},    // Mongolian selectors
    CodePoints{0x200B, 0x200F},    // zero-width characters and direction marks
    CodePoints{0x2028, 0x202E},    // line separators, embeddings and overrides
    CodePoints{0x2060, 0x206F},    // word joiner, isolates, invisible operators
    CodePoints{0x3164, 0x3164},    // Hangul filler
    CodePoints{0xFE00, 0xFE0F},    // variation selectors
    CodePoints{0xFEFF, 0xFEFF},    // byte order mark
    CodePoints{0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    CodePoints{0xFFF0, 0xFFFB},    // interlinear annotation
    CodePoints{0xFFFE, 0xFFFF},    // no characters
    CodePoints{0x110BD, 0x110BD},  // Kaithi number sign
    CodePoints{0x110CD, 0x110CD},  // Kaithi number sign above
    CodePoints{0x13430, 0x1343F},  // hieroglyph format controls
    CodePoints{0x1BCA0, 0x1BCA3},  // shorthand format controls
    CodePoints{0x1D173, 0x1D17A},  // musical formatting
    CodePoints{0xE0000, 0xE0FFF},  // tags and further selectors
};

bool IsDeceptive(char32_t c) {
  return std::ranges::any_of(kDeceptive,
                             [c](CodePoints range) { return c >= range.first && c <= range.last; });
}

// CharacterBytes is the length of the character that a well-formed lead byte begins.
std::size_t CharacterBytes(unsigned char lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// Decode reads one well-formed character.
char32_t Decode(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character.at(i)); };
  constexpr std::array<unsigned, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t c = byte(0) & kLeadBits.at(character.size());
  for (std::size_t i = 1; i < character.size(); ++i) c = (c << 6) | (byte(i) & 0x3F);
  return c;
}

void AppendCharacter(std::string_view character, std::string& out) {
  const char32_t c = Decode(character);
  if (c == '\\') {
    out += "\\\\";
  } else if (c < 0x20 || c == 0x7F) {
    out += "\\x" + Hex(c, 2);
  } else if (IsDeceptive(c)) {
    out += "\\u{" + Hex(c, 4) + "}";
  } else {
    out += character;
  }
}

// WholeCharacters is how much of `text`, up to `longest` bytes, can be kept without splitting a
// character: half of one would be shown as bytes that are no UTF-8, which the text has not.
std::size_t WholeCharacters(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text.size();
  constexpr std::size_t kLongestCharacter = 4;
  for (std::size_t begin = longest - std::min(longest, kLongestCharacter - 1); begin < longest;
       ++begin) {
    const std::string_view there = text.substr(begin, kLongestCharacter);
    const std::size_t size = CharacterBytes(static_cast<unsigned char>(there.front()));
    if (size <= Utf8PrefixLength(AsBytes(there)) && begin + size > longest) return begin;
  }
  return longest;
}

}  // namespace

std::string EscapeText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::string_view good = text.substr(0, Utf8PrefixLength(AsBytes(text)));
    text.remove_prefix(good.size());
    while (!good.empty()) {
      const std::size_t size = CharacterBytes(static_cast<unsigned char>(good.front()));
      AppendCharacter(good.substr(0, size), out);
      good.remove_prefix(size);
    }
    if (text.empty()) break;
    out += "\\x" + Hex(static_cast<unsigned char>(text.front()), 2);
    text.remove_prefix(1);
  }
  return out;
}

std::string Quoted(std::string_view text, std::size_t longest) {
  const std::string_view kept = text.substr(0, WholeCharacters(text, longest));
  std::string out = "\"";
  for (const char c : EscapeText(kept)) {
    if (c == '"') out += '\\';
    out += c;
  }
  return out + (kept.size() < text.size() ? "…\"" : "\"");
}

std::optional<char32_t> NextCharacter(std::string_view& text) {
  const std::string_view character =
      text.substr(0, CharacterBytes(static_cast<unsigned char>(text.front())));
  if (Utf8PrefixLength(AsBytes(character)) < character.size()) {
    text.remove_prefix(1);
    return std::nullopt;
  }
  text.remove_prefix(character.size());
  return Decode(character);
}

}  // namespace ggufgate

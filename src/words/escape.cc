#include "words/escape.h"

#include <algorithm>
#include <optional>

#include "bytes/character_kind.h"
#include "bytes/utf8.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

void AppendCharacter(char32_t c, std::string_view character, std::string& out) {
  if (c == '\\') {
    out += "\\\\";
  } else if (c < 0x20 || c == 0x7F) {
    out += "\\x" + Hex(c, 2);
  } else if (KindOf(c) != CharacterKind::kPlain) {
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
    std::string_view rest = text.substr(begin);
    if (TakeCharacter(rest) && text.size() - rest.size() > longest) return begin;
  }
  return longest;
}

}  // namespace

std::string EscapeText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    if (const std::optional<char32_t> c = TakeCharacter(text)) {
      AppendCharacter(*c, before.substr(0, before.size() - text.size()), out);
    } else {
      out += "\\x" + Hex(static_cast<unsigned char>(before.front()), 2);
    }
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

}  // namespace ggufgate

#include "words/escape.h"

#include <algorithm>
#include <optional>

#include "bytes/character_kind.h"
#include "bytes/utf8.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

// More marks over one character would cover the lines around it. No language uses so many: UTS #39,
// section 5.4, forbids more than four in a row.
constexpr std::size_t kMostMarks = 4;
// The same with spacing marks, for which many terminals do not use a column. Burmese has words with
// five (U+101C U+103B U+103E U+1031 U+102C U+1037).
constexpr std::size_t kMostMarksOfAnyKind = 8;

// MarksInRow counts the marks of one character.
class MarksInRow {
 public:
  // TooMany takes the next character, which is displayed unescaped.
  bool TooMany(char32_t c) {
    const bool above = IsCombiningMark(c);
    if (!above && !IsSpacingMark(c)) {
      End();
      return false;
    }
    ++of_any_kind_;
    if (above) ++above_;
    return (above && above_ > kMostMarks) || of_any_kind_ > kMostMarksOfAnyKind;
  }
  void End() { above_ = of_any_kind_ = 0; }

 private:
  std::size_t above_ = 0;  // above, below or around the character
  std::size_t of_any_kind_ = 0;
};

bool IsHidden(char32_t c) { return KindOf(c) != CharacterKind::kPlain || c == kBlankBraille; }

void AppendCharacter(char32_t c, std::string_view character, MarksInRow& marks, std::string& out) {
  const bool hidden = IsHidden(c);
  if (hidden) marks.End();
  if (c == '\\') {
    marks.End();
    out += "\\\\";
  } else if (c < 0x20 || c == 0x7F) {
    out += "\\x" + Hex(c, 2);
  } else if (hidden || marks.TooMany(c)) {
    out += "\\u{" + Hex(c, 4) + "}";
  } else {
    out += character;
  }
}

// BeginsCommand tells whether a CI runner executes a text anywhere in a line of its log:
// "##[error]" in GitHub and Azure Pipelines, "##vso[…]" in the latter, "##teamcity[…]" in TeamCity.
// Source: ActionCommand.TryParse in src/Runner.Common/ActionCommand.cs of actions/runner.
bool BeginsCommand(std::string_view text) {
  if (!text.starts_with("##")) return false;
  text.remove_prefix(2);
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (!text.empty() && is_letter(text.front())) text.remove_prefix(1);
  return text.starts_with('[');
}

// WholeCharacters returns how much of `text`, up to `longest` bytes, can be kept without splitting
// a character. A split character would be shown as bytes that are not UTF-8.
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
  MarksInRow marks;
  while (!text.empty()) {
    const std::string_view before = text;
    if (BeginsCommand(text)) {
      marks.End();
      out += "\\x23";
      text.remove_prefix(1);
    } else if (const std::optional<char32_t> c = TakeCharacter(text)) {
      AppendCharacter(*c, before.substr(0, before.size() - text.size()), marks, out);
    } else {
      marks.End();
      out += "\\x" + Hex(static_cast<unsigned char>(before.front()), 2);
    }
  }
  return out;
}

std::string WithoutCommand(std::string text) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view before = rest;
    const std::optional<char32_t> c = TakeCharacter(rest);
    if (c && IsBlank(*c)) continue;
    rest = before;
    break;
  }
  if (rest.starts_with("::")) text.replace(text.size() - rest.size(), 1, "\\x3a");
  return text;
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

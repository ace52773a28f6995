#include "jinja/hidden_text.h"

#include <algorithm>
#include <array>

#include "bytes/character_kind.h"
#include "bytes/utf8.h"
#include "jinja/syntax/tokens.h"

namespace ggufgate {
namespace {

struct Interval {
  char32_t first;
  char32_t last;
};

template <std::size_t kCount>
bool IsIn(const std::array<Interval, kCount>& intervals, char32_t c) {
  return std::ranges::any_of(intervals,
                             [&](const Interval& i) { return c >= i.first && c <= i.last; });
}

// Scripts that use joiners: Arabic, Syriac, those of India and neighbouring countries, Mongolian.
constexpr std::array<Interval, 4> kJoining = {
    {{0x0600, 0x08FF}, {0x0900, 0x0FFF}, {0x1000, 0x109F}, {0x1780, 0x18AF}}};
constexpr std::array<Interval, 3> kRightToLeft = {
    {{0x0590, 0x08FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFC}}};
constexpr std::array<Interval, 3> kPicture = {
    {{0x2190, 0x2BFF}, {0x1F000, 0x1FAFF}, {0xFE0F, 0xFE0F}}};

constexpr char32_t kBlackFlag = 0x1F3F4;

// Hides tells whether a character is invisible or changes the direction of text. Control characters
// do, except tab and line ends.
bool Hides(char32_t c) {
  switch (KindOf(c)) {
    case CharacterKind::kInvisible:
    case CharacterKind::kDirection:
      return true;
    case CharacterKind::kControl:
      return c != '\t' && c != '\n' && c != '\r' && c != 0x85;
    default:
      return false;
  }
}

// IsMeant tells whether the characters next to an invisible one require it.
bool IsMeant(const std::vector<char32_t>& text, std::size_t at) {
  const char32_t c = text.at(at);
  const char32_t before = at > 0 ? text.at(at - 1) : 0;
  const char32_t after = at + 1 < text.size() ? text.at(at + 1) : 0;
  if (c == 0xFEFF) return at == 0;
  if (c == 0x200C || c == 0x200D) {
    return (IsIn(kJoining, before) && (IsIn(kJoining, after) || c == 0x200D)) ||
           (c == 0x200D && IsIn(kPicture, before) && IsIn(kPicture, after));
  }
  if (c == 0x200E || c == 0x200F || c == 0x061C) {
    return IsIn(kRightToLeft, before) || IsIn(kRightToLeft, after);
  }
  if (c >= 0xFE00 && c <= 0xFE0F) {
    return before > 0x20 && !Hides(before);
  }
  return false;
}

// FlagEnd returns the position after the tags of a flag, which follow the black flag and end with a
// cancel tag. If the text has no tags there, it returns `at`.
std::size_t FlagEnd(const std::vector<char32_t>& text, std::size_t at) {
  if (at == 0 || text.at(at - 1) != kBlackFlag) return at;
  constexpr std::size_t kLongest = 8;
  for (std::size_t end = at; end < std::min(text.size(), at + kLongest); ++end) {
    if (text.at(end) == 0xE007F && end > at) return end + 1;
    if (text.at(end) < 0xE0030 || text.at(end) > 0xE007A) return at;
  }
  return at;
}

std::string NameOf(char32_t c) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string name;
  for (int shift = c > 0xFFFF ? (c > 0xFFFFF ? 20 : 16) : 12; shift >= 0; shift -= 4) {
    name += kDigits.at((c >> shift) & 0xF);
  }
  return "U+" + name;
}

bool IsHidden(const std::vector<char32_t>& text, std::size_t at) {
  const char32_t c = text.at(at);
  if (c >= 0x20 && c < 0x7F) return false;
  return Hides(c) && !IsMeant(text, at);
}

// IsPlain tells whether a text is ASCII without control characters, which cannot hide anything.
bool IsPlain(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\t' || c == '\n' || c == '\r'; });
}

}  // namespace

std::vector<HiddenText> FindInvisible(std::string_view text) {
  if (IsPlain(text)) return {};  // true for most templates
  std::vector<char32_t> points;
  std::vector<std::size_t> sizes;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t left = rest.size();
    points.push_back(TakeCharacter(rest).value_or(U'\uFFFD'));
    sizes.push_back(left - rest.size());
  }

  std::vector<HiddenText> found;
  std::size_t offset = 0;
  std::size_t flag_end = 0;
  for (std::size_t i = 0; i < points.size(); offset += sizes.at(i++)) {
    if (points.at(i) >= 0xE0000) flag_end = std::max(flag_end, FlagEnd(points, i));
    if (i < flag_end || !IsHidden(points, i)) continue;
    const bool goes_on = !found.empty() && found.back().at + found.back().size == offset;
    if (goes_on) {
      found.back().size += sizes.at(i);
      ++found.back().count;
      continue;
    }
    found.push_back({.kind = KindOf(points.at(i)) == CharacterKind::kDirection
                                 ? HiddenText::Kind::kDirection
                                 : HiddenText::Kind::kInvisible,
                     .at = offset,
                     .size = sizes.at(i),
                     .name = NameOf(points.at(i))});
  }
  return found;
}

namespace {

bool IsHostByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == ':' || c == '@' || static_cast<unsigned char>(c) >= 0x80;
}

// Names that have no owner (RFC 2606, RFC 6761) or name a schema.
bool IsHarmless(std::string_view host) {
  static constexpr std::array<std::string_view, 6> kHosts = {
      "example.com", "example.org", "example.net", "json-schema.org", "www.w3.org", "localhost"};
  const std::string_view name = host.substr(0, host.find(':'));
  return name.empty() || name.ends_with(".example") || name.ends_with(".invalid") ||
         name.ends_with(".test") || std::ranges::any_of(kHosts, [&](std::string_view known) {
           return name == known || (name.ends_with(known) && name.size() > known.size() &&
                                    name.at(name.size() - known.size() - 1) == '.');
         });
}

void FindIn(std::string_view text, std::size_t begin, bool plain, std::vector<HiddenText>& found) {
  for (std::size_t at = text.find("://"); at != std::string_view::npos;
       at = text.find("://", at + 3)) {
    std::size_t scheme = at;
    while (scheme > 0 && at - scheme < 5 && IsHostByte(text.at(scheme - 1))) --scheme;
    const std::string_view word = text.substr(scheme, at - scheme);
    if (!word.ends_with("http") && !word.ends_with("https") && !word.ends_with("ftp")) continue;
    std::size_t end = at + 3;
    while (end < text.size() && end - at < 256 && IsHostByte(text.at(end))) ++end;
    const std::string_view host = text.substr(at + 3, end - at - 3);
    if (IsHarmless(host)) continue;
    found.push_back({.kind = HiddenText::Kind::kAddress,
                     .at = begin + scheme,
                     .size = end - scheme,
                     .name = std::string(host),
                     .plain = plain});
  }
}

// DepthChange returns the change of the nesting of blocks that decide whether their text is
// written.
int DepthChange(const JinjaSpan& span) {
  if (span.kind != JinjaSpan::Kind::kStatement || span.tokens.empty()) return 0;
  static constexpr std::array<std::string_view, 12> kWords = {
      "if",    "for",    "macro",    "call",    "filter",    "set",
      "endif", "endfor", "endmacro", "endcall", "endfilter", "endset"};
  const auto word = std::ranges::find(kWords, span.tokens.front().text);
  const auto has = [&](std::string_view sign) {
    return std::ranges::any_of(span.tokens, [&](const JinjaToken& t) { return t.Is(sign); });
  };
  if (word == kWords.end() || (*word == "set" && has("="))) return 0;
  return word->starts_with("end") ? -1 : 1;
}

bool IsChoice(const JinjaSpan& span) {
  return std::ranges::any_of(span.tokens, [](const JinjaToken& token) {
    return token.Is("if") || token.Is("and") || token.Is("or") || token.Is("[");
  });
}

}  // namespace

std::vector<HiddenText> FindAddresses(std::string_view text) {
  std::vector<HiddenText> found;
  JinjaSpan span;
  std::int64_t depth = 0;
  for (JinjaLexer lexer(text); lexer.Next(span);) {
    depth += DepthChange(span);
    if (!span.text.empty()) {
      FindIn(span.text, static_cast<std::size_t>(span.text.data() - text.data()), depth == 0,
             found);
    }
    const bool written = span.kind == JinjaSpan::Kind::kOutput && depth == 0 && !IsChoice(span);
    for (const JinjaToken& token : span.tokens) {
      if (token.kind == JinjaToken::Kind::kString) FindIn(token.text, token.begin, written, found);
    }
  }
  return found;
}

std::vector<HiddenText> FindHidden(std::string_view text) {
  std::vector<HiddenText> hidden = FindInvisible(text);
  for (HiddenText& address : FindAddresses(text)) hidden.push_back(std::move(address));
  return hidden;
}

}  // namespace ggufgate

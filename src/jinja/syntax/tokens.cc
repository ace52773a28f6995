#include "jinja/syntax/tokens.h"

#include <algorithm>

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Every non-ASCII byte may be part of a name: Jinja accepts the same names as Python.
bool IsNameByte(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool StandsAt(std::string_view text, std::size_t at, std::string_view word) {
  return at <= text.size() && text.substr(at).starts_with(word);
}

std::size_t SkipSpace(std::string_view text, std::size_t at) {
  while (const std::size_t length = SpaceAt(text, at)) at += length;
  return at;
}

char CharAt(std::string_view text, std::size_t at) { return at < text.size() ? text.at(at) : '\0'; }

}  // namespace

// White space of Python's str.isspace() beyond ASCII, in UTF-8. Source: Unicode 15, White_Space.
std::size_t SpaceAt(std::string_view text, std::size_t at) {
  const char c = CharAt(text, at);
  if (at >= text.size()) return 0;
  if (c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1C' && c <= '\x1F')) return 1;
  if (c == '\xC2') return StandsAt(text, at, "\xC2\x85") || StandsAt(text, at, "\xC2\xA0") ? 2 : 0;
  if (c == '\xE1') return StandsAt(text, at, "\xE1\x9A\x80") ? 3 : 0;
  if (c == '\xE3') return StandsAt(text, at, "\xE3\x80\x80") ? 3 : 0;
  if (c != '\xE2') return 0;
  if (StandsAt(text, at, "\xE2\x81\x9F")) return 3;
  if (!StandsAt(text, at, "\xE2\x80")) return 0;
  const auto last = static_cast<unsigned char>(CharAt(text, at + 2));
  const bool space = (last >= 0x80 && last <= 0x8A) || last == 0xA8 || last == 0xA9 || last == 0xAF;
  return space ? 3 : 0;
}

bool JinjaLexer::Next(JinjaSpan& span) {
  if (at_ >= text_.size()) return false;
  span.begin = at_;
  span.text = {};
  span.tokens.clear();
  span.deepest = 0;
  span.too_long = false;
  span.fault = JinjaSpan::Fault::kNone;
  if (!SeesCode()) {
    ReadText(span);
  } else if (text_.at(at_ + 1) == '#') {
    ReadComment(span);
  } else if (!ReadRaw(span)) {
    ReadCode(span);
  }
  span.end = at_;
  return true;
}

bool JinjaLexer::SeesCode() const {
  return StandsAt(text_, at_, "{{") || StandsAt(text_, at_, "{%") || StandsAt(text_, at_, "{#");
}

void JinjaLexer::ReadText(JinjaSpan& span) {
  span.kind = JinjaSpan::Kind::kText;
  do {
    at_ = std::min(text_.find('{', at_ + 1), text_.size());
  } while (at_ < text_.size() && !SeesCode());
  span.text = text_.substr(span.begin, at_ - span.begin);
}

void JinjaLexer::ReadComment(JinjaSpan& span) {
  span.kind = JinjaSpan::Kind::kComment;
  const std::size_t close = text_.find("#}", at_ + 2);
  if (close == std::string_view::npos) {
    span.fault = JinjaSpan::Fault::kUnclosed;
    span.fault_at = span.begin;
  }
  at_ = close == std::string_view::npos ? text_.size() : close + 2;
}

// TagEnd returns the end of `{% word %}` at `begin`, or npos. It skips the blanks inside once for
// each tag, so the search for an end of raw text stays linear.
std::size_t JinjaLexer::TagEnd(std::size_t begin, std::string_view word, bool plus) const {
  std::size_t at = begin + 2;
  if (CharAt(text_, at) == '-' || CharAt(text_, at) == '+') ++at;
  at = SkipSpace(text_, at);
  if (!StandsAt(text_, at, word)) return std::string_view::npos;
  at = SkipSpace(text_, at + word.size());
  if (CharAt(text_, at) == '-' || (plus && CharAt(text_, at) == '+')) ++at;
  return StandsAt(text_, at, "%}") ? at + 2 : std::string_view::npos;
}

bool JinjaLexer::ReadRaw(JinjaSpan& span) {
  if (text_.at(at_ + 1) != '%') return false;
  const std::size_t begin = TagEnd(at_, "raw", false);
  if (begin == std::string_view::npos) return false;
  span.kind = JinjaSpan::Kind::kRaw;
  for (std::size_t tag = text_.find("{%", begin); tag != std::string_view::npos;
       tag = text_.find("{%", tag + 2)) {
    const std::size_t end = TagEnd(tag, "endraw", true);
    if (end == std::string_view::npos) continue;
    span.text = text_.substr(begin, tag - begin);
    at_ = end;
    return true;
  }
  span.text = text_.substr(begin);
  span.fault = JinjaSpan::Fault::kUnclosed;
  span.fault_at = span.begin;
  at_ = text_.size();
  return true;
}

void JinjaLexer::ReadCode(JinjaSpan& span) {
  const bool output = text_.at(at_ + 1) == '{';
  span.kind = output ? JinjaSpan::Kind::kOutput : JinjaSpan::Kind::kStatement;
  closers_.clear();
  at_ += 2;
  if (CharAt(text_, at_) == '-' || CharAt(text_, at_) == '+') ++at_;
  while (at_ < text_.size()) {
    at_ = SkipSpace(text_, at_);
    if (ReadEndOfCode(span)) return;
    if (at_ < text_.size()) ReadToken(span);
  }
  if (span.fault != JinjaSpan::Fault::kNone) return;
  span.fault = JinjaSpan::Fault::kUnclosed;
  span.fault_at = span.begin;
}

// An end delimiter counts only if no bracket is open: `}}` may close two dictionaries.
bool JinjaLexer::ReadEndOfCode(JinjaSpan& span) {
  if (!closers_.empty()) return false;
  const bool output = span.kind == JinjaSpan::Kind::kOutput;
  const std::string_view end = output ? "}}" : "%}";
  const char sign = CharAt(text_, at_);
  const std::size_t skip = sign == '-' || (!output && sign == '+') ? 1 : 0;
  if (!StandsAt(text_, at_ + skip, end)) return false;
  at_ += skip + 2;
  return true;
}

void JinjaLexer::Add(JinjaSpan& span, const JinjaToken& token) {
  // Published spans never have so many tokens. Then it is faster to reserve the maximum at once
  // than to copy the tokens repeatedly into larger memory. The unused part is never touched.
  constexpr std::size_t kUsual = 256;
  std::vector<JinjaToken>& tokens = span.tokens;
  if (tokens.size() == kMostTokens) {
    span.too_long = true;
    return;
  }
  if (tokens.size() == tokens.capacity() && tokens.size() >= kUsual) {
    tokens.reserve(std::min(kMostTokens, tokens.size() + (text_.size() - token.begin)));
  }
  tokens.push_back(token);
}

void JinjaLexer::ReadToken(JinjaSpan& span) {
  const char c = text_.at(at_);
  if (c == '\'' || c == '"') return ReadString(span);
  if (!IsNameByte(c)) return ReadOperator(span);
  const std::size_t begin = at_;
  if (IsDigit(c)) {
    at_ = NumberEnd(!span.tokens.empty() && span.tokens.back().Is("."));
  } else {
    while (at_ < text_.size() && IsNameByte(text_.at(at_)) && SpaceAt(text_, at_) == 0) ++at_;
  }
  Add(span, {.kind = IsDigit(c) ? Kind::kNumber : Kind::kName,
             .text = text_.substr(begin, at_ - begin),
             .begin = begin});
}

// NumberEnd returns the end of a number; `x.0.1` has two integers, not a fraction.
std::size_t JinjaLexer::NumberEnd(bool after_dot) const {
  const auto digits = [&](std::size_t at) {
    while (IsDigit(CharAt(text_, at)) ||
           (CharAt(text_, at) == '_' && IsDigit(CharAt(text_, at + 1)))) {
      ++at;
    }
    return at;
  };
  std::size_t at = at_;
  const char base = static_cast<char>(CharAt(text_, at + 1) | 0x20);
  if (text_.at(at) == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    at += 2;
    while (IsNameByte(CharAt(text_, at)) && static_cast<unsigned char>(text_.at(at)) < 0x80) ++at;
    return at;
  }
  at = digits(at);
  if (after_dot) return at;
  if (CharAt(text_, at) == '.' && IsDigit(CharAt(text_, at + 1))) at = digits(at + 1);
  if ((CharAt(text_, at) | 0x20) != 'e') return at;
  const char sign = CharAt(text_, at + 1);
  const std::size_t power = at + (sign == '+' || sign == '-' ? 2U : 1U);
  return IsDigit(CharAt(text_, power)) ? digits(power) : at;
}

void JinjaLexer::ReadString(JinjaSpan& span) {
  const std::size_t begin = at_;
  const char quote = text_.at(at_++);
  while (at_ < text_.size() && text_.at(at_) != quote)
    at_ += text_.at(at_) == '\\' ? std::size_t{2} : std::size_t{1};
  at_ = std::min(at_ + 1, text_.size());
  Add(span, {.kind = Kind::kString, .text = text_.substr(begin, at_ - begin), .begin = begin});
}

void JinjaLexer::ReadOperator(JinjaSpan& span) {
  static constexpr std::string_view kOperators = "+-*/%~[](){}<>=.:|,;!";
  const char c = text_.at(at_);
  const char next = CharAt(text_, at_ + 1);
  const bool doubled = next == c && (c == '/' || c == '*' || c == '=');
  const bool compares = next == '=' && (c == '!' || c == '>' || c == '<');
  const std::size_t size = doubled || compares ? 2 : 1;
  if (c == '(' || c == '[' || c == '{') {
    closers_.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    span.deepest = std::max(span.deepest, closers_.size());
  } else if (c == ')' || c == ']' || c == '}') {
    if (span.fault == JinjaSpan::Fault::kNone && (closers_.empty() || closers_.back() != c)) {
      span.fault = JinjaSpan::Fault::kBracket;
      span.fault_at = at_;
    }
    if (!closers_.empty()) closers_.pop_back();
  }
  const bool known = kOperators.find(c) != std::string_view::npos;
  Add(span, {.kind = known ? Kind::kOperator : Kind::kOther,
             .text = text_.substr(at_, size),
             .begin = at_});
  at_ += size;
}

}  // namespace ggufgate

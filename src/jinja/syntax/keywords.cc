// Source: jinja2/parser.py 3.1.6. parse_not() reads `not`, below `and` and `or` and above
// comparisons. Each of the other keywords joins two operands.

#include "jinja/syntax/keywords.h"

#include <algorithm>
#include <initializer_list>
#include <span>

namespace ggufgate {
namespace {

using Kind = JinjaToken::Kind;

bool IsOneOf(const JinjaToken& token, std::initializer_list<JinjaWord> words) {
  return std::ranges::any_of(words, [&](JinjaWord word) { return token.Is(word); });
}

bool IsBetween(const JinjaToken& token) {
  return IsOneOf(token, {"and", "or", "in", "is", "if", "else"});
}

bool IsKeyword(const JinjaToken& token) { return IsBetween(token) || token.Is("not"); }

bool BeginsOperand(const JinjaToken& token) {
  if (token.IsName()) return !IsBetween(token);
  return token.kind == Kind::kNumber || token.kind == Kind::kString ||
         IsOneOf(token, {"(", "[", "{", "-", "+"});
}

bool EndsOperand(const JinjaToken& token) {
  if (token.IsName()) return !IsKeyword(token);
  return token.kind == Kind::kNumber || token.kind == Kind::kString ||
         IsOneOf(token, {")", "]", "}"});
}

class KeywordReader {
 public:
  explicit KeywordReader(const JinjaSpan& span)
      : tokens_(span.tokens), statement_(span.kind == JinjaSpan::Kind::kStatement) {}

  // IsName tells whether Jinja2 takes a keyword as a name.
  [[nodiscard]] bool IsName(std::size_t at) const {
    const JinjaToken& token = tokens_[at];
    if (statement_ && at == 0) return false;  // the keyword of the statement itself
    if (at > 0 && tokens_[at - 1].Is(".")) return false;
    const bool last = at + 1 == tokens_.size();
    if (token.Is("not")) return last || !IsNegation(at);
    if (at == 0 || IsBehindTest(at)) return true;
    const bool statement = statement_ && at == 1;
    const bool operand = !statement && EndsOperandAt(at - 1);
    const bool negated = token.Is("in") && tokens_[at - 1].Is("not");
    // At the end, all engines reject it.
    const bool follows = last || BeginsOperand(tokens_[at + 1]);
    return !(operand || negated) || !follows;
  }

 private:
  // A name after a dot is always an attribute.
  [[nodiscard]] bool EndsOperandAt(std::size_t at) const {
    const bool attribute = at > 0 && tokens_[at - 1].Is(".");
    return attribute || EndsOperand(tokens_[at]);
  }

  [[nodiscard]] bool IsNegation(std::size_t at) const {
    const JinjaToken& next = tokens_[at + 1];
    if (next.Is("in")) return at > 0 && EndsOperandAt(at - 1) && !(statement_ && at == 1);
    if (!BeginsOperand(next) && !next.Is("not")) return false;
    if (at == 0 || (statement_ && at == 1)) return true;
    const JinjaToken& before = tokens_[at - 1];
    if (at > 1 && tokens_[at - 2].Is(".")) return false;
    return IsOneOf(before, {"(", "[", "{", ",", ":", "=", "and", "or", "not", "if", "else", "is"});
  }

  // Jinja2 takes a name after a test as its argument, unless that is `else`, `or` or `and`.
  [[nodiscard]] bool IsBehindTest(std::size_t at) const {
    if (IsOneOf(tokens_[at], {"and", "or", "else"}) || at < 2) return false;
    const bool plain = tokens_[at - 2].Is("is") && !tokens_[at - 1].Is("not");
    const bool negated = at > 2 && tokens_[at - 2].Is("not") && tokens_[at - 3].Is("is");
    return (plain || negated) && tokens_[at - 1].IsName();
  }

  std::span<const JinjaToken> tokens_;
  bool statement_;
};

// Jinja2 reads `0b0or` as 0b0 and `or`.
bool RunsIntoName(const JinjaToken& number) {
  const std::string_view text = number.text;
  if (text.size() < 2 || text.front() != '0') return false;
  const char base = static_cast<char>(text[1] | 0x20);
  if (base != 'x' && base != 'o' && base != 'b') return false;
  const auto digit = [&](char c) {
    if (c == '_') return true;
    if (base == 'b') return c == '0' || c == '1';
    if (base == 'o') return c >= '0' && c <= '7';
    const char low = static_cast<char>(c | 0x20);
    return (c >= '0' && c <= '9') || (low >= 'a' && low <= 'f');
  };
  return text.size() < 3 || !std::ranges::all_of(text.substr(2), digit);
}

}  // namespace

const JinjaToken* AmbiguousToken(const JinjaSpan& span) {
  const KeywordReader reader(span);
  for (std::size_t i = 0; i < span.tokens.size(); ++i) {
    const JinjaToken& token = span.tokens[i];
    if (token.kind == Kind::kNumber) {
      const bool touches = i + 1 < span.tokens.size() && span.tokens[i + 1].IsName() &&
                           span.tokens[i + 1].begin == token.begin + token.text.size();
      if (touches || RunsIntoName(token)) return &token;
    }
    if (token.IsName() && IsKeyword(token) && reader.IsName(i)) return &token;
  }
  return nullptr;
}

}  // namespace ggufgate

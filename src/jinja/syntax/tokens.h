#pragma once

// Jinja told apart into text and code, and code into tokens. Nothing is evaluated here.
//
// Follows jinja2/lexer.py 3.1.6 with the default delimiters and without line statements, which are
// off unless a program asks for them: no chat template engine does. llama.cpp (common/jinja,
// v0.5.0) agrees on every point that decides what is code, but for `{% raw %}`, which it lacks.

#include <cstdint>
#include <string_view>
#include <vector>

namespace ggufgate {

// JinjaWord is a word that tokens are compared with. The length of a literal is known when it is
// compiled: reading an expression compares each token with a dozen.
struct JinjaWord {
  consteval JinjaWord(const char* literal)
      : text(literal) {}                                      // NOLINT(google-explicit-constructor)
  constexpr JinjaWord(std::string_view word) : text(word) {}  // NOLINT(google-explicit-constructor)

  // Most words differ in length or in the first character.
  [[nodiscard]] constexpr bool IsTextOf(std::string_view token) const {
    return token.size() == text.size() && !text.empty() && token.front() == text.front() &&
           token == text;
  }

  std::string_view text;
};

struct JinjaToken {
  enum class Kind : std::uint8_t { kName, kNumber, kString, kOperator, kOther };

  Kind kind = Kind::kOther;
  std::string_view text;  // as written, strings with their quotes
  std::size_t begin = 0;  // in the template

  [[nodiscard]] bool Is(JinjaWord word) const {
    return (kind == Kind::kOperator || kind == Kind::kName) && word.IsTextOf(text);
  }
  [[nodiscard]] bool IsName() const { return kind == Kind::kName; }
};

// JinjaSpan is a stretch of a template with one meaning. Spans tile the template.
struct JinjaSpan {
  enum class Kind : std::uint8_t { kText, kOutput, kStatement, kComment, kRaw };
  // What keeps an engine from reading the span.
  enum class Fault : std::uint8_t { kNone, kUnclosed, kBracket };

  Kind kind = Kind::kText;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;           // of kText and kRaw: what is written out
  std::vector<JinjaToken> tokens;  // of kOutput and kStatement, delimiters left out
  std::size_t deepest = 0;         // brackets open at once
  bool too_long = false;           // more tokens than are kept: the rest is left out
  Fault fault = Fault::kNone;
  std::size_t fault_at = 0;
};

// Tokens of one span that are kept, so that memory stays small whatever a template is: with 65,536,
// one of 197 kB took 16.3 MB. Of 378 published templates the longest span has 56.
inline constexpr std::size_t kMostTokens = 16'384;

// JinjaLexer walks a template front to back; every byte is looked at a bounded number of times.
//
//   JinjaSpan span;
//   for (JinjaLexer lexer(text); lexer.Next(span);) Use(span);
class JinjaLexer {
 public:
  explicit JinjaLexer(std::string_view text) : text_(text) {}

  // Next reads the next span into `span`, whose memory is used again; false at the end.
  [[nodiscard]] bool Next(JinjaSpan& span);

 private:
  void ReadText(JinjaSpan& span);
  void ReadComment(JinjaSpan& span);
  void ReadCode(JinjaSpan& span);
  bool ReadRaw(JinjaSpan& span);
  bool ReadEndOfCode(JinjaSpan& span);
  void ReadToken(JinjaSpan& span);
  void ReadString(JinjaSpan& span);
  void ReadOperator(JinjaSpan& span);
  void Add(JinjaSpan& span, const JinjaToken& token);
  [[nodiscard]] bool SeesCode() const;
  [[nodiscard]] std::size_t NumberEnd(bool after_dot) const;
  [[nodiscard]] std::size_t TagEnd(std::size_t begin, std::string_view word, bool plus) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<char> closers_;  // of the brackets open in the current span
};

// SpaceAt is the length of the white space character at a position, 0 where there is none. The
// Unicode ones count: Python's \s takes them.
[[nodiscard]] std::size_t SpaceAt(std::string_view text, std::size_t at);

}  // namespace ggufgate

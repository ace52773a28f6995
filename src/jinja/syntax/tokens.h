#pragma once

// Splits a Jinja template into text and code, and code into tokens. It evaluates nothing.
//
// It follows jinja2/lexer.py 3.1.6 with the default delimiters. It does not support line
// statements, because a program must enable them and no chat template engine does. llama.cpp
// (common/jinja, v0.5.0) delimits code in the same way, except that it lacks `{% raw %}`.

#include <cstdint>
#include <string_view>
#include <vector>

namespace ggufgate {

// JinjaWord is a word for comparison with tokens. The length of the literal is known at compile
// time, because reading an expression compares each token with about twelve words.
struct JinjaWord {
  consteval JinjaWord(const char* literal)
      : text(literal) {}                                      // NOLINT(google-explicit-constructor)
  constexpr JinjaWord(std::string_view word) : text(word) {}  // NOLINT(google-explicit-constructor)

  // Compares the length and the first character first, because most words differ in them.
  [[nodiscard]] constexpr bool IsTextOf(std::string_view token) const {
    return token.size() == text.size() && !text.empty() && token.front() == text.front() &&
           token == text;
  }

  std::string_view text;
};

struct JinjaToken {
  enum class Kind : std::uint8_t { kName, kNumber, kString, kOperator, kOther };

  Kind kind = Kind::kOther;
  std::string_view text;  // as written; strings include their quotes
  std::size_t begin = 0;  // in the template

  [[nodiscard]] bool Is(JinjaWord word) const {
    return (kind == Kind::kOperator || kind == Kind::kName) && word.IsTextOf(text);
  }
  [[nodiscard]] bool IsName() const { return kind == Kind::kName; }
};

// JinjaSpan is a part of a template with one meaning. The spans cover the whole template.
struct JinjaSpan {
  enum class Kind : std::uint8_t { kText, kOutput, kStatement, kComment, kRaw };
  // The reason why engines cannot parse the span.
  enum class Fault : std::uint8_t { kNone, kUnclosed, kBracket };

  Kind kind = Kind::kText;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;           // of kText and kRaw: the text that is written
  std::vector<JinjaToken> tokens;  // of kOutput and kStatement, without delimiters
  std::size_t deepest = 0;         // most brackets open at the same time
  bool too_long = false;           // it has more tokens than are kept
  Fault fault = Fault::kNone;
  std::size_t fault_at = 0;
};

// Maximum number of tokens that are kept of one span, to limit memory for any template: with
// 65,536, a template of 197 kB took 16.3 MB. The longest span of 378 published templates has 56.
inline constexpr std::size_t kMostTokens = 16'384;

// JinjaLexer reads a template from front to back. It reads every byte a bounded number of times.
//
//   JinjaSpan span;
//   for (JinjaLexer lexer(text); lexer.Next(span);) Use(span);
class JinjaLexer {
 public:
  explicit JinjaLexer(std::string_view text) : text_(text) {}

  // Next reads the next span into `span`, and reuses its memory. It returns false at the end.
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
  std::vector<char> closers_;  // of the open brackets in the current span
};

// SpaceAt returns the length of the white space character at a position, or 0. It includes Unicode
// white space, because Python's \s matches it.
[[nodiscard]] std::size_t SpaceAt(std::string_view text, std::size_t at);

}  // namespace ggufgate

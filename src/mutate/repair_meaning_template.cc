// Which chat templates are harmless for certain: those written in a small part of the language.
//
//   {{ a.b['c'] + '<|end|>' | trim }}   {% if a == 'b' and not c %}   {% for a in b %}   {# … #}
//
// Nothing is assigned and nothing is counted, so that no constant grows; of names there is a list;
// a string has no escape but \n, and underscores only between letters, so that no two make a name
// with two of them side by side.

#include <algorithm>
#include <array>

#include "mutate/repair_meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongest = std::size_t{16} << 10;
constexpr std::size_t kDeepest = 16;  // statements and brackets
constexpr std::size_t kMostJoined = 8;

constexpr std::array<std::string_view, 42> kNames = {"messages",     "message",
                                                     "role",         "content",
                                                     "loop",         "first",
                                                     "last",         "index",
                                                     "index0",       "bos_token",
                                                     "eos_token",    "add_generation_prompt",
                                                     "tools",        "tool",
                                                     "name",         "function",
                                                     "arguments",    "parameters",
                                                     "tool_calls",   "description",
                                                     "id",           "type",
                                                     "is",           "defined",
                                                     "none",         "true",
                                                     "false",        "string",
                                                     "trim",         "tojson",
                                                     "length",       "lower",
                                                     "upper",        "raise_exception",
                                                     "system",       "user",
                                                     "assistant",    "item",
                                                     "strftime_now", "reasoning_content",
                                                     "documents",    "text"};
// Behind one of these an operand comes.
constexpr std::array<std::string_view, 7> kOperators = {"if",  "elif", "else", "in",
                                                        "and", "or",   "not"};
constexpr std::array<std::string_view, 4> kClosing = {"endif", "endfor", "else", "elif"};

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <std::size_t kCount>
bool IsAmong(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Code reads one `{{ … }}` or `{% … %}`, without its first two characters.
class Code {
 public:
  Code(std::string_view text, bool statement) : text_(text), statement_(statement) {}

  // Read is true when the code is harmless and ends; end() is then behind it.
  [[nodiscard]] bool Read() {
    if (CharAt(at_) == '-') ++at_;
    while (at_ < text_.size()) {
      if (IsBlank(text_[at_])) {
        ++at_;
      } else if (depth_ == 0 && AtEnd()) {
        return statement_ ? !keyword_.empty() : true;
      } else if (!ReadToken()) {
        return false;
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t end() const { return at_; }
  [[nodiscard]] std::string_view keyword() const { return keyword_; }

 private:
  enum class Before : std::uint8_t { kNothing, kName, kCall, kOperator, kValue };

  [[nodiscard]] char CharAt(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  bool AtEnd() {
    const std::size_t skip = CharAt(at_) == '-' ? 1 : 0;
    if (CharAt(at_ + skip) != (statement_ ? '%' : '}') || CharAt(at_ + skip + 1) != '}') {
      return false;
    }
    at_ += skip + 2;
    return true;
  }

  bool ReadToken() {
    const char c = text_[at_];
    if (IsLetter(c)) return ReadName();
    if (c == '\'' || c == '"') return ReadString(c);
    if (IsDigit(c)) return ReadNumber();
    return ReadSymbol(c);
  }

  bool ReadName() {
    const std::size_t begin = at_;
    while (IsLetter(CharAt(at_)) || IsDigit(CharAt(at_)) || CharAt(at_) == '_') ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (statement_ && keyword_.empty()) {
      keyword_ = word;
      before_ = Before::kOperator;
      return word == "if" || word == "for" || IsAmong(kClosing, word);
    }
    if (IsAmong(kOperators, word)) {
      if (word == "not" && before_not_) return false;  // engines count signs in a row as nesting
      before_not_ = word == "not";
      before_ = Before::kOperator;
      return true;
    }
    before_not_ = false;
    before_ = word == "raise_exception" || word == "strftime_now" ? Before::kCall : Before::kName;
    return IsAmong(kNames, word);
  }

  bool ReadString(char quote) {
    if (keyword_ == "for" || before_ == Before::kValue) return false;  // not even side by side
    for (++at_; CharAt(at_) != quote; ++at_) {
      const char c = CharAt(at_);
      if (c == '\\' && CharAt(at_ + 1) == 'n') {
        ++at_;
      } else if (c == '_') {
        if (!IsLetter(CharAt(at_ - 1)) || !IsLetter(CharAt(at_ + 1))) return false;
      } else if (c < ' ' || c > '~' || c == '\\') {
        return false;
      }
    }
    ++at_;
    before_ = Before::kValue;
    before_not_ = false;
    return true;
  }

  bool ReadNumber() {
    const std::size_t begin = at_;
    while (IsDigit(CharAt(at_))) ++at_;
    if (IsLetter(CharAt(at_)) || CharAt(at_) == '_' || CharAt(at_) == '.') return false;
    before_ = Before::kValue;
    before_not_ = false;
    return at_ - begin <= 4;
  }

  bool ReadSymbol(char c) {
    ++at_;
    before_not_ = false;
    switch (c) {
      case '(':
        if (before_ == Before::kName || before_ == Before::kValue) return false;
        return Open();
      case '[':
        if (before_ != Before::kName) return false;  // takes an element, makes no list
        return Open();
      case ')':
      case ']':
        if (depth_ == 0 || (open_[--depth_] == '(') != (c == ')')) return false;
        before_ = c == ']' ? Before::kName : Before::kValue;
        return true;
      case '=':
      case '!':
        if (CharAt(at_) != '=') return false;
        ++at_;
        return Operator();
      case '+':
      case '~':
        if (statement_ || before_ == Before::kOperator || ++joined_ > kMostJoined) return false;
        return Operator();
      case '.':
      case '|':
        if (before_ == Before::kOperator || before_ == Before::kNothing) return false;
        return Operator();
      case ',':
        return Operator();
      default:
        return false;
    }
  }

  bool Open() {
    if (depth_ == open_.size()) return false;
    open_[depth_++] = text_[at_ - 1];
    return Operator();
  }
  bool Operator() {
    before_ = Before::kOperator;
    return true;
  }

  std::string_view text_;
  bool statement_;
  std::size_t at_ = 0;
  std::string_view keyword_;
  Before before_ = Before::kNothing;
  bool before_not_ = false;
  std::size_t joined_ = 0;
  std::size_t depth_ = 0;
  std::array<char, kDeepest> open_{};
};

}  // namespace

bool IsHarmlessTemplate(std::string_view text) {
  if (text.size() > kLongest) return false;
  std::size_t blocks = 0;
  for (std::size_t at = text.find('{'); at != text.npos; at = text.find('{', at)) {
    const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
    if (kind == '#') {
      const std::size_t close = text.find("#}", at + 2);
      if (close == text.npos) return false;
      at = close + 2;
    } else if (kind == '{' || kind == '%') {
      Code code(text.substr(at + 2), kind == '%');
      if (!code.Read()) return false;
      at += 2 + code.end();
      const std::string_view keyword = code.keyword();
      if ((keyword == "if" || keyword == "for") && ++blocks > kDeepest) return false;
      if (keyword.starts_with("end")) {
        if (blocks == 0) return false;
        --blocks;
      }
    } else {
      ++at;
    }
  }
  return blocks == 0;
}

}  // namespace ggufgate::mutate

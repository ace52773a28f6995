// Which chat templates are harmless for certain: those written in a small part of the language.
//
//   {{ a.b['c'] + '<|end|>' | trim }}   {% if a == 'b' and not c %}   {% set a = b[1:] %}   {# … #}
//
// No variable ever holds a text of the template, so that no constant grows or becomes a name. What
// is taken out of an object is named in one piece, and no name leads into the engine. A string has
// no escape but \n, and underscores only between letters: no two make a double one.

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "mutate/repair/meaning.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongest = std::size_t{16} << 10;
constexpr std::size_t kDeepest = 16;  // statements and brackets
constexpr std::size_t kMostJoined = 8;

// Behind one of these an operand comes.
constexpr std::array<std::string_view, 8> kOperators = {"if",  "elif", "else", "in",
                                                        "and", "or",   "not",  "is"};
constexpr std::array<std::string_view, 3> kBranches = {"else", "elif", "set"};
constexpr std::array<std::string_view, 2> kFunctions = {"raise_exception", "strftime_now"};
constexpr std::array<std::string_view, 12> kMethods = {"strip",    "lstrip", "rstrip", "startswith",
                                                       "endswith", "upper",  "lower",  "title",
                                                       "split",    "items",  "keys",   "values"};
constexpr std::array<std::string_view, 12> kFilters = {"trim",  "tojson", "length", "string",
                                                       "upper", "lower",  "first",  "last",
                                                       "title", "list",   "count",  "capitalize"};
// Names of Python's frames, functions and modules, and of objects of the engine, begin so.
constexpr std::array<std::string_view, 16> kInternal = {
    "_",   "mro", "func_", "im_",   "gi_",   "cr_",    "ag_",    "f_",
    "tb_", "co_", "popen", "Popen", "check", "lipsum", "cycler", "joiner"};

bool IsBlank(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// kOfWords are the characters of names and numbers.
constexpr auto kOfWords = [] {
  std::array<bool, 256> of_words{};
  for (const std::string_view range : {"az", "AZ", "09", "__"}) {
    for (char c = range.front(); c <= range.back(); ++c) {
      of_words.at(static_cast<std::size_t>(c)) = true;
    }
  }
  return of_words;
}();

// kPlain are the characters that stand for themselves in a string, whatever is around them.
constexpr auto kPlain = [] {
  std::array<bool, 256> plain{};
  for (char c = ' '; c <= '~'; ++c) {
    plain.at(static_cast<std::size_t>(c)) = c != '\'' && c != '"' && c != '\\' && c != '_';
  }
  return plain;
}();

template <std::size_t kCount>
bool IsAmong(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// What an engine or the file itself brings under these names is text that may be any name.
constexpr std::array<std::string_view, 13> kNotAsked = {
    "self",   "loop",  "range",  "dict",   "namespace",       "caller",      "varargs",
    "kwargs", "super", "joiner", "cycler", "raise_exception", "strftime_now"};

// IsAsked is true of a variable that holds what a conversation brings, so that its value may be
// used as a name.
bool IsAsked(std::string_view name) {
  return std::ranges::find(kNotAsked, name) == kNotAsked.end() && !name.ends_with("_token") &&
         !name.ends_with("_tokens");
}

// kInternalFrom has a bit for each of kInternal that begins with a character. For most characters
// none does.
constexpr auto kInternalFrom = [] {
  std::array<std::uint16_t, 256> bits{};
  static_assert(kInternal.size() <= 16);
  for (std::size_t i = 0; i < kInternal.size(); ++i) {
    bits.at(static_cast<unsigned char>(kInternal.at(i).front())) |=
        static_cast<std::uint16_t>(1U << i);
  }
  return bits;
}();

bool IsPlainName(std::string_view name) {
  if (name.empty()) return true;
  for (unsigned bits = kInternalFrom[static_cast<unsigned char>(name.front())]; bits != 0;
       bits &= bits - 1) {
    if (name.starts_with(kInternal[static_cast<std::size_t>(std::countr_zero(bits))])) return false;
  }
  return name.find("__") == name.npos;
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
        return !statement_ || (!keyword_.empty() && (keyword_ != "set" || assigned_));
      } else if (!ReadToken()) {
        return false;
      }
    }
    return false;
  }
  [[nodiscard]] std::size_t end() const { return at_; }
  [[nodiscard]] std::string_view keyword() const { return keyword_; }

 private:
  // What stands in front of the next token: an object that something may be taken out of, another
  // value, an operator, or a dot or bar.
  enum class Before : std::uint8_t { kObject, kValue, kOperator, kNot, kDot, kBar };

  [[nodiscard]] bool IsOperand() const {
    return before_ == Before::kObject || before_ == Before::kValue;
  }
  // IsTarget is true in front of the `=` of `set` and of the `in` of `for`.
  [[nodiscard]] bool IsTarget() const {
    return (keyword_ == "set" && !assigned_) || (keyword_ == "for" && last_.empty());
  }
  [[nodiscard]] char CharAt(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  void SkipBlanks() {
    while (IsBlank(CharAt(at_))) ++at_;
  }

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
    if (c == '\'' || c == '"') return keyword_ != "for" && keyword_ != "set" && ReadString(c);
    if (IsDigit(c)) return ReadNumber();
    symbol_ = true;
    ++at_;
    if (IsTarget() && c != '=' && c != ',') return false;
    return c == '[' ? ReadSubscript() : ReadSymbol(c);
  }

  std::string_view Word() {
    const std::size_t begin = at_;
    while (kOfWords[static_cast<unsigned char>(CharAt(at_))]) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  bool ReadName() {
    const std::string_view word = Word();
    if (statement_ && keyword_.empty()) {
      keyword_ = word;
      before_ = Before::kOperator;
      return word == "if" || word == "for" || word == "endif" || word == "endfor" ||
             IsAmong(kBranches, word);
    }
    if (IsAmong(kOperators, word)) return ReadKeyword(word);
    if (IsOperand()) return false;  // no operator joins the two
    test_ = last_ == "is" && before_ == Before::kNot;
    if (before_ == Before::kBar) return IsAmong(kFilters, word) && CallOr(Before::kValue);
    if (!IsPlainName(word)) return false;
    // Nor may a variable become what one of those holds, or what a function makes.
    const bool assigns = keyword_ == "for" || keyword_ == "set";
    if (before_ != Before::kDot && assigns && !IsAsked(word)) return false;
    if (CharAt(at_) != '(') return Become(Before::kObject);
    const bool known =
        before_ == Before::kDot ? IsAmong(kMethods, word) : IsAmong(kFunctions, word);
    return known && CallOr(Before::kObject);
  }

  // ReadKeyword is false where Jinja2 may take the keyword as a name.
  bool ReadKeyword(std::string_view word) {
    const bool operand = IsOperand();
    const bool joins = word == "and" || word == "or" || word == "else";
    const bool behind_test = std::exchange(test_, false) && !joins;
    SkipBlanks();
    const char next = CharAt(at_);
    const bool follows =
        IsLetter(next) || IsDigit(next) || next == '(' || next == '\'' || next == '"';
    if (!follows || behind_test) return false;
    if (word != "not") {
      last_ = word;
      return operand && Become(Before::kNot);
    }
    const bool joined = before_ == Before::kNot && (last_ == "and" || last_ == "or");
    const bool begins = keyword_ == "if" || keyword_ == "elif" || !statement_;
    const bool first = before_ == Before::kOperator && begins && last_.empty() && !symbol_;
    last_ = word;
    return (joined || first) && Become(Before::kNot);
  }

  // CallOr opens the bracket of a call, if there is one.
  bool CallOr(Before otherwise) {
    if (CharAt(at_) != '(') return Become(otherwise);
    ++at_;
    return Open(/*call=*/true);
  }

  bool ReadString(char quote) {
    if (IsOperand()) return false;  // two strings side by side are one
    for (++at_;; ++at_) {
      while (kPlain[static_cast<unsigned char>(CharAt(at_))]) ++at_;
      const char c = CharAt(at_);
      if (c == quote) break;
      if (c == '\\' && CharAt(at_ + 1) == 'n') {
        ++at_;
      } else if (c == '_') {
        if (!IsLetter(CharAt(at_ - 1)) || !IsLetter(CharAt(at_ + 1))) return false;
      } else if (c < ' ' || c > '~' || c == '\\') {
        return false;
      }
    }
    ++at_;
    return Become(Before::kValue);
  }

  bool ReadNumber() {
    if (IsOperand()) return false;
    const std::string_view digits = Word();
    if (CharAt(at_) == '.') return false;
    return digits.size() <= 4 && std::ranges::all_of(digits, IsDigit) && Become(Before::kValue);
  }

  // ReadSubscript reads `'name']`, `a.b]` or a slice by numbers.
  bool ReadSubscript() {
    if (before_ != Before::kObject) return false;  // makes a list, or takes a text apart
    before_ = Before::kOperator;
    SkipBlanks();
    const char c = CharAt(at_);
    if (c == '\'' || c == '"') {
      const std::size_t begin = at_ + 1;
      if (!ReadString(c) || !IsPlainName(text_.substr(begin, at_ - 1 - begin))) return false;
    } else if (IsLetter(c)) {
      std::string_view word = Word();
      if (!IsAsked(word) || !IsPlainName(word)) return false;
      while (CharAt(at_) == '.' && IsLetter(CharAt(at_ + 1))) {
        ++at_;
        word = Word();
        if (!IsPlainName(word)) return false;
      }
    } else {
      while (IsDigit(CharAt(at_)) || CharAt(at_) == ':' || CharAt(at_) == '-') ++at_;
    }
    SkipBlanks();
    return CharAt(at_++) == ']' && Become(Before::kObject);
  }

  bool ReadSymbol(char c) {
    const bool operand = IsOperand();
    switch (c) {
      case '(':
        return !operand && Open(/*call=*/false);
      case ')':
        if (depth_ == 0 || before_ == Before::kDot || before_ == Before::kBar) return false;
        return Become(calls_[--depth_] ? Before::kObject : Before::kValue);
      case '!':
        return CharAt(at_++) == '=' && Become(Before::kOperator);
      case '=':
        return ReadEquals();
      case '+':
      case '~':
        return !statement_ && operand && ++joined_ <= kMostJoined && Become(Before::kOperator);
      case '.':
        return before_ == Before::kObject && Become(Before::kDot);
      case '|':
        return operand && Become(Before::kBar);
      case ',':
        return Become(Before::kOperator);
      default:
        return false;
    }
  }

  bool ReadEquals() {
    if (CharAt(at_) == '=') {
      ++at_;
    } else if (depth_ == 0) {
      if (keyword_ != "set" || assigned_) return false;
      assigned_ = true;
    }
    return Become(Before::kOperator);
  }

  bool Open(bool call) {
    if (depth_ == calls_.size()) return false;
    calls_[depth_++] = call;
    return Become(Before::kOperator);
  }
  bool Become(Before before) {
    before_ = before;
    return true;
  }

  std::string_view text_;
  bool statement_;
  std::size_t at_ = 0;
  std::string_view keyword_;
  Before before_ = Before::kOperator;
  std::string_view last_;  // keyword behind that of the statement
  bool test_ = false;      // the last word is a test: `x is defined`
  bool symbol_ = false;    // the tag has a sign before this token
  bool assigned_ = false;
  std::size_t joined_ = 0;
  std::size_t depth_ = 0;
  std::array<bool, kDeepest> calls_{};  // which of the open brackets are those of calls
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

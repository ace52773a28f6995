#include "policy/toml_cursor.h"

#include <utility>

#include "bytes/utf8.h"

namespace ggufgate::internal {
namespace {

constexpr bool IsBlank(char c) { return c == ' ' || c == '\t'; }

constexpr bool IsControl(char c) {
  constexpr char kDelete = 0x7F;
  return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == kDelete;
}

// HexDigit returns -1 for any other character.
constexpr int HexDigit(char c) {
  constexpr int kTen = 10;
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + kTen;
  if (c >= 'A' && c <= 'F') return c - 'A' + kTen;
  return -1;
}

// ReadCode reads the digits of \u or \U.
bool ReadCode(TomlCursor& in, TextPlace at, std::size_t digits, std::string& text) {
  char32_t code = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int digit = HexDigit(in.Peek());
    if (digit < 0) return in.FailExpected("a string", "a hexadecimal digit");
    code = code * 16 + static_cast<char32_t>(digit);
    in.Skip(1);
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    return in.Fail(at, "in a string: no character has this number");
  }
  AppendUtf8(code, text);
  return true;
}

// ReadEscape reads an escape, at its backslash.
bool ReadEscape(TomlCursor& in, bool several_lines, std::string& text) {
  const TextPlace at = in.Here();
  in.Skip(1);
  if (in.AtEnd()) return in.FailExpected("a string", "");
  const char c = in.Peek();
  if (several_lines && (IsBlank(c) || c == '\n' || c == '\r')) {
    // The text continues with the first non-blank character of a later line.
    in.SkipBlanks();
    if (!in.TakeLineEnd()) {
      return in.FailExpected("a string", "the end of the line after a backslash");
    }
    do in.SkipBlanks();
    while (in.TakeLineEnd());
    return true;
  }
  constexpr std::string_view kWritten = "btnfr\"\\";
  constexpr std::string_view kMeant = "\b\t\n\f\r\"\\";
  const std::size_t known = kWritten.find(c);
  if (known != std::string_view::npos) {
    text += kMeant[known];
    in.Skip(1);
    return true;
  }
  if (c != 'u' && c != 'U') return in.Fail(at, "in a string: unknown escape sequence");
  in.Skip(1);
  return ReadCode(in, at, c == 'u' ? 4 : 8, text);
}

}  // namespace

bool TomlCursor::Take(std::string_view expected) {
  if (!text_.substr(at_).starts_with(expected)) return false;
  Skip(expected.size());
  return true;
}

std::string_view TomlCursor::TakeWhile(bool (*belongs)(char)) {
  const std::size_t begin = at_;
  while (!AtEnd() && belongs(text_[at_])) ++at_;
  return text_.substr(begin, at_ - begin);
}

void TomlCursor::SkipBlanks() { TakeWhile(&IsBlank); }

bool TomlCursor::TakeLineEnd() { return Take("\n") || Take("\r\n"); }

bool TomlCursor::SkipComment() {
  TakeWhile([](char c) { return !IsControl(c); });
  if (AtEnd() || Peek() == '\n' || (Peek() == '\r' && Peek(1) == '\n')) return true;
  return Fail(Here(), "in a comment: control characters are not allowed");
}

TextPlace TomlCursor::Here() {
  for (; placed_ < at_; ++placed_) {
    const char c = text_[placed_];
    if (c == '\n') {
      place_ = {.line = place_.line + 1, .column = 1};
    } else if (!IsContinuation(static_cast<std::uint8_t>(c))) {
      ++place_.column;
    }
  }
  return place_;
}

bool TomlCursor::Fail(TextPlace at, std::string what) {
  if (!problem_) problem_ = TextProblem{.at = at, .what = std::move(what)};
  return false;
}

bool TomlCursor::FailExpected(std::string_view inside, std::string_view expected) {
  if (AtEnd()) return Fail(Here(), "the file ends inside " + std::string(inside));
  std::string saw = "the end of the line";
  if (Peek() != '\n' && Peek() != '\r') {
    std::size_t bytes = 1;
    while (IsContinuation(static_cast<std::uint8_t>(Peek(bytes)))) ++bytes;
    saw = "'" + std::string(text_.substr(at_, bytes)) + "'";
  }
  return Fail(Here(),
              "in " + std::string(inside) + ": expected " + std::string(expected) + ", saw " + saw);
}

bool ReadTomlString(TomlCursor& in, std::string& text) {
  const char quote = in.Peek();
  const bool several_lines = in.Peek(1) == quote && in.Peek(2) == quote;
  const std::size_t quotes = several_lines ? 3 : 1;
  in.Skip(quotes);
  if (several_lines) in.TakeLineEnd();
  while (!in.AtEnd()) {
    const char c = in.Peek();
    if (c == quote) {
      // After a multi-line string, up to two more quotes belong to it.
      std::size_t run = 1;
      while (several_lines && run < quotes + 2 && in.Peek(run) == quote) ++run;
      in.Skip(run);
      if (run >= quotes) {
        text.append(run - quotes, quote);
        return true;
      }
      text.append(run, quote);
    } else if (c == '\\' && quote == '"') {
      if (!ReadEscape(in, several_lines, text)) return false;
    } else if (several_lines && in.TakeLineEnd()) {
      text += '\n';
    } else if (c == '\n' || c == '\r') {
      return in.FailExpected("a string", "its closing quote");
    } else if (IsControl(c)) {
      return in.Fail(in.Here(), "in a string: control characters other than a tab are not allowed");
    } else {
      text += c;
      in.Skip(1);
    }
  }
  return in.FailExpected("a string", "");
}

}  // namespace ggufgate::internal

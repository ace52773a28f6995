#pragma once

// A moving position in a TOML text, and a parser for strings. Internal to this module.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "policy/toml.h"

namespace ggufgate::internal {

// TomlCursor reads well-formed UTF-8 text. It never moves back, and keeps the first problem.
// Functions that read return false after a problem.
class TomlCursor {
 public:
  explicit TomlCursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool AtEnd() const { return at_ == text_.size(); }

  // Peek returns a byte ahead, or 0 after the end. TOML never allows a byte 0.
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0';
  }

  // Skip skips bytes that were examined.
  void Skip(std::size_t bytes) { at_ += bytes; }

  // Take skips `expected` if it is the next text.
  [[nodiscard]] bool Take(std::string_view expected);

  // TakeWhile skips all bytes that belong, and returns them.
  std::string_view TakeWhile(bool (*belongs)(char));

  void SkipBlanks();

  // TakeLineEnd skips "\n" or "\r\n". A "\r" alone is not a line end.
  bool TakeLineEnd();

  [[nodiscard]] bool SkipComment();

  // Here returns the position of the cursor. All calls together read the text once.
  [[nodiscard]] TextPlace Here();

  // Fail records a problem and returns false.
  bool Fail(TextPlace at, std::string what);

  // FailExpected names the missing part; `inside` is for example "a string".
  bool FailExpected(std::string_view inside, std::string_view expected);

  [[nodiscard]] const std::optional<TextProblem>& problem() const { return problem_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t placed_ = 0;  // the byte whose position is `place_`
  TextPlace place_;
  std::optional<TextProblem> problem_;
};

// ReadTomlString reads the string at the cursor, one of four kinds.
[[nodiscard]] bool ReadTomlString(TomlCursor& in, std::string& text);

}  // namespace ggufgate::internal

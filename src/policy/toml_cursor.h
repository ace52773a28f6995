#pragma once

// A place in a TOML text that moves on, and the strings there. Not for users of the library.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "policy/toml.h"

namespace ggufgate::internal {

// TomlCursor reads a text of well-formed UTF-8. It never goes back, and keeps the first problem.
// Functions that read something return false after a problem.
class TomlCursor {
 public:
  explicit TomlCursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool AtEnd() const { return at_ == text_.size(); }

  // Peek is a byte ahead, and 0 behind the end. No rule of TOML takes a byte 0.
  [[nodiscard]] char Peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - at_ ? text_[at_ + ahead] : '\0';
  }

  // Skip goes over bytes that were looked at.
  void Skip(std::size_t bytes) { at_ += bytes; }

  // Take goes over `expected` where that stands here.
  [[nodiscard]] bool Take(std::string_view expected);

  // TakeWhile goes over all bytes that belong, and gives them.
  std::string_view TakeWhile(bool (*belongs)(char));

  void SkipBlanks();

  // TakeLineEnd goes over "\n" or "\r\n". A "\r" alone ends no line.
  bool TakeLineEnd();

  [[nodiscard]] bool SkipComment();

  // Here is where the cursor stands. All calls together read the text once.
  [[nodiscard]] TextPlace Here();

  // Fail notes a problem and is false.
  bool Fail(TextPlace at, std::string what);

  // FailExpected names the missing part, inside "a string" for instance.
  bool FailExpected(std::string_view inside, std::string_view expected);

  [[nodiscard]] const std::optional<TextProblem>& problem() const { return problem_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t placed_ = 0;  // `place_` is the place of this byte
  TextPlace place_;
  std::optional<TextProblem> problem_;
};

// ReadTomlString reads the string whose quote stands here, one of four kinds.
[[nodiscard]] bool ReadTomlString(TomlCursor& in, std::string& text);

}  // namespace ggufgate::internal

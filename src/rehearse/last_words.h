#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ggufgate {

// LastWords keeps the end of the output of a process, in bounded memory.
class LastWords {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10;

  void Add(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// CauseIn finds the line that says why a loader ended: a failed assertion, an exception, why it
// refuses a model, else the last line that is not empty. At most 400 bytes; empty: no line has any
// text. The text stays hostile.
[[nodiscard]] std::string CauseIn(std::string_view words);

// WantsMemory tells whether these are words of a loader that got less memory than it asked for.
[[nodiscard]] bool WantsMemory(std::string_view words);

}  // namespace ggufgate

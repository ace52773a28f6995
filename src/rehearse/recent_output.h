#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ggufgate {

// RecentOutput keeps the last part of the output of a process, in bounded memory.
class RecentOutput {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10;

  void Add(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// CauseIn finds the line that explains the end of a loader: a failed assertion, an exception, the
// reason for a refusal, or else the last line that is not empty. It returns at most 400 bytes, or
// an empty text if there is no such line. The text is untrusted.
[[nodiscard]] std::string CauseIn(std::string_view words);

// WantsMemory tells whether the output reports a failed allocation.
[[nodiscard]] bool WantsMemory(std::string_view words);

}  // namespace ggufgate

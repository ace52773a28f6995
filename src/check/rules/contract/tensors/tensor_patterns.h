#pragma once

// Names of tensors without their numbers. Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "parse/document.h"

namespace ggufgate {

struct Context;

// PatternOf returns a tensor's name with "*" for every segment that is a number.
[[nodiscard]] std::string PatternOf(std::string_view name);

// TensorPatterns has the patterns of all tensor names of a file. Layers are alike, so few names
// must be converted: for the others, the pattern that followed their neighbour before is tried
// first.
class TensorPatterns {
 public:
  // No architecture has nearly as many patterns. Names with further patterns get none.
  static constexpr std::size_t kMost = 4096;
  static constexpr std::uint16_t kNone = UINT16_MAX;

  explicit TensorPatterns(const std::vector<TensorInfo>& tensors);

  // patterns() may contain a pattern twice, if names have more than one number.
  [[nodiscard]] const std::vector<std::string>& patterns() const { return patterns_; }
  // IndexOf returns the index of a tensor's pattern in patterns(), or kNone.
  [[nodiscard]] std::uint16_t IndexOf(std::size_t tensor) const { return indexes_.at(tensor); }

 private:
  std::vector<std::string> patterns_;
  std::vector<std::uint16_t> indexes_;  // by tensor
};

// TensorPatternsOf returns the patterns of the file.
[[nodiscard]] const TensorPatterns& TensorPatternsOf(const Context& context);

}  // namespace ggufgate

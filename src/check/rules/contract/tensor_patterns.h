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

// PatternOf is a tensor's name with "*" for every segment that is a number.
[[nodiscard]] std::string PatternOf(std::string_view name);

// TensorPatterns are the patterns of the names of a file's tensors. Layers are alike, so that few
// names need be turned into patterns: the rest are found by what stood behind their neighbour
// before.
class TensorPatterns {
 public:
  // No architecture has nearly as many; names of more patterns than these get none.
  static constexpr std::size_t kMost = 4096;
  static constexpr std::uint16_t kNone = UINT16_MAX;

  explicit TensorPatterns(const std::vector<TensorInfo>& tensors);

  // patterns may have one twice, where names have more than one number.
  [[nodiscard]] const std::vector<std::string>& patterns() const { return patterns_; }
  // IndexOf is the place of a tensor's pattern among patterns(), or kNone.
  [[nodiscard]] std::uint16_t IndexOf(std::size_t tensor) const { return indexes_.at(tensor); }

 private:
  std::vector<std::string> patterns_;
  std::vector<std::uint16_t> indexes_;  // by tensor
};

// TensorPatternsOf are those of the file.
[[nodiscard]] const TensorPatterns& TensorPatternsOf(const Context& context);

}  // namespace ggufgate

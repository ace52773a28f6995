#pragma once

#include <optional>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {

// Maximum number of pairs of a call and a loop around it that are followed. Published templates
// have a few hundred.
inline constexpr std::size_t kMostLoopedCalls = 4096;

// LoopedCalls finds the loops around the calls of a macro, with the records of the last reading.
class LoopedCalls {
 public:
  explicit LoopedCalls(TemplateScope& scope);

  // Around returns all calls of the macro in loops, including the calls of its callers. It returns
  // nullopt if there are too many, or if the budget of the scope is used up.
  [[nodiscard]] std::optional<std::vector<const TemplateLoopedCall*>> Around(std::size_t macro);

 private:
  TemplateScope& scope_;
  bool complete_ = true;
};

}  // namespace ggufgate

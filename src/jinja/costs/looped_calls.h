#pragma once

#include <optional>
#include <vector>

#include "jinja/scope.h"

namespace ggufgate {

// So many calls, with the loops around each, are followed. Published templates have a few hundred.
inline constexpr std::size_t kMostLoopedCalls = 4096;

// LoopedCalls tells which loops stand around the calls of a macro, with the records of the last
// reading.
class LoopedCalls {
 public:
  explicit LoopedCalls(TemplateScope& scope);

  // Around returns all calls of the macro in loops, and of all that call it. It returns nullopt if
  // there are too many, or if the budget of the scope ends.
  [[nodiscard]] std::optional<std::vector<const TemplateLoopedCall*>> Around(std::size_t macro);

 private:
  TemplateScope& scope_;
  bool complete_ = true;
};

}  // namespace ggufgate

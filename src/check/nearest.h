#pragma once

#include <span>
#include <string_view>

#include "check/rule.h"

namespace ggufgate {

// Nearest returns the word most similar to `asked`, for "did you mean"; empty if none is similar.
// Words that begin with `asked`, if it has at least three letters, rank before others. Time is
// linear in the size of all words, for any length of `asked`.
[[nodiscard]] std::string_view Nearest(std::string_view asked,
                                       std::span<const std::string_view> words);

// NearestRule returns the rule with the slug most similar to `asked`; nullptr if none is similar.
[[nodiscard]] const Rule* NearestRule(std::string_view asked);

}  // namespace ggufgate

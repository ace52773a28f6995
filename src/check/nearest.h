#pragma once

#include <span>
#include <string_view>

#include "check/rule.h"

namespace ggufgate {

// Nearest is the word most like the one asked for, for "did you mean"; empty when none is like it.
// A word that begins with the one asked for, three letters or more, is nearer than others.
// Takes time in proportion to all the words together, however long `asked` is.
[[nodiscard]] std::string_view Nearest(std::string_view asked,
                                       std::span<const std::string_view> words);

// NearestRule is the rule whose slug is most like the one asked for; nullptr when none is like it.
[[nodiscard]] const Rule* NearestRule(std::string_view asked);

}  // namespace ggufgate

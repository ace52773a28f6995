#pragma once

#include <span>
#include <string_view>

#include "format/key.h"

namespace ggufgate {

// AllLabels lists the keys that loaders ignore, in the order of labels.def. "{n}" in a pattern is a
// number.
[[nodiscard]] std::span<const KeyInfo> AllLabels();

// FindLabel finds a label by its key; nullptr if it is unknown.
[[nodiscard]] const KeyInfo* FindLabel(std::string_view key);

}  // namespace ggufgate

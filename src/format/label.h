#pragma once

#include <span>
#include <string_view>

#include "format/key.h"

namespace ggufgate {

// AllLabels lists the keys that loaders do not act on, in the order of labels.def. A pattern may
// hold
// "{n}", which stands for a number.
[[nodiscard]] std::span<const KeyInfo> AllLabels();

// FindLabel looks a key up; nullptr when it is no label that is known.
[[nodiscard]] const KeyInfo* FindLabel(std::string_view key);

}  // namespace ggufgate

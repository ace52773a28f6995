#pragma once

#include <nlohmann/json_fwd.hpp>

#include "check/finding.h"
#include "gate/judge.h"

namespace ggufgate {

// The parts of a JSON report, for every format and command that needs them. All text is escaped.
[[nodiscard]] nlohmann::ordered_json JsonOf(const Fact& fact);
[[nodiscard]] nlohmann::ordered_json JsonOf(const Finding& finding);
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileReport& report);

}  // namespace ggufgate

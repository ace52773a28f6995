#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "check/finding.h"
#include "gate/judge.h"
#include "report/reporter.h"

namespace ggufgate {

// The parts of a JSON report, for every format and command that needs them. All text is escaped.
[[nodiscard]] nlohmann::ordered_json JsonOf(const Fact& fact);
[[nodiscard]] nlohmann::ordered_json JsonOf(const Finding& finding);
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileReport& report);

// ConfinementJson says what the processes that read files could not do.
[[nodiscard]] nlohmann::ordered_json ConfinementJson(const RunFacts& run);

// JsonText is JSON on one line. Its text is escaped before it gets here; ASCII output is a second
// wall before the terminal.
[[nodiscard]] std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace ggufgate

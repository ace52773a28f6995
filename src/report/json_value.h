#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "check/finding.h"
#include "check/policy.h"
#include "gate/file_verdict.h"
#include "report/report_style.h"

namespace ggufgate {

struct FileReport;

// The parts of a JSON report, for every format and command that needs them. All text is escaped.
[[nodiscard]] nlohmann::ordered_json JsonOf(const Fact& fact);
[[nodiscard]] nlohmann::ordered_json JsonOf(const Finding& finding);
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileReport& report);
// `problem` is why the file is undecided, where it is.
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileVerdict& file,
                                            std::optional<std::string_view> problem);

// JsonHead is what stands before the files of a report, and kJsonTail what stands behind them.
[[nodiscard]] std::string JsonHead(const Policy& policy, const std::optional<RunFacts>& run);
inline constexpr std::string_view kJsonTail = "\n]}\n";

// ConfinementJson says what the processes that read files could not do.
[[nodiscard]] nlohmann::ordered_json ConfinementJson(const RunFacts& run);

// JsonText is JSON on one line. Its text is escaped before it gets here; ASCII output is a second
// wall before the terminal.
[[nodiscard]] std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace ggufgate

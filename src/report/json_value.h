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

// The parts of a JSON report, for all formats and commands that need them. All text is escaped.
[[nodiscard]] nlohmann::ordered_json JsonOf(const Fact& fact);
[[nodiscard]] nlohmann::ordered_json JsonOf(const Finding& finding);
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileReport& report, const Policy& policy);
// `problem` is the reason why the file is undecided, if it is.
[[nodiscard]] nlohmann::ordered_json JsonOf(const FileVerdict& file, const Policy& policy,
                                            std::optional<std::string_view> problem);

// JsonHead returns the text before the files of a report. kJsonTail is the text after them.
[[nodiscard]] std::string JsonHead(const Policy& policy, const std::optional<RunFacts>& run);
inline constexpr std::string_view kJsonTail = "\n]}\n";

// LoadersJson lists the loaders that a policy names; for contracts from a file with its SHA-256.
[[nodiscard]] nlohmann::ordered_json LoadersJson(const Policy& policy);

// ConfinementJson tells which restrictions applied to the processes that read files.
[[nodiscard]] nlohmann::ordered_json ConfinementJson(const RunFacts& run);

// JsonText returns JSON on one line. Its text is escaped before. The output is ASCII, as a second
// protection of the terminal.
[[nodiscard]] std::string JsonText(const nlohmann::ordered_json& json);

}  // namespace ggufgate

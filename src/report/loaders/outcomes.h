#pragma once

// Tables of the outcomes of a file in several loaders.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "report/table.h"
#include "words/loader_outcomes.h"

namespace ggufgate {

// OutcomeReason returns the reason of an outcome as a message, which names no other release. It is
// escaped, and empty without a reason.
[[nodiscard]] std::string OutcomeReason(const OutcomeInLoader& one);

// OutcomesTable has a row for each loader: release, outcome, rule, reason.
[[nodiscard]] Table OutcomesTable(std::span<const OutcomeInLoader> outcomes);

// OutcomesJson is the list `loaders` of reports. All text is escaped.
[[nodiscard]] nlohmann::ordered_json OutcomesJson(std::span<const OutcomeInLoader> outcomes);

}  // namespace ggufgate

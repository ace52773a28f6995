#pragma once

#include <memory>
#include <ostream>

#include "report/reporter.h"

namespace ggufgate {

// MakeSummaryReporter makes the reporter that says nothing of single files: by rule, how many
// findings there are and in how many files. `format` is kText, a table, or kJson, one object of
// schema ggufgate.summary/1.
[[nodiscard]] std::unique_ptr<Reporter> MakeSummaryReporter(Format format, const ReportStyle& style,
                                                            std::ostream& out);

}  // namespace ggufgate

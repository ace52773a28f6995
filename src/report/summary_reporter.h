#pragma once

#include <memory>
#include <ostream>

#include "report/reporter.h"

namespace ggufgate {

// MakeSummaryReporter makes a reporter that prints no single files. For each rule, it prints the
// number of findings and of files. `format` is kText, for a table, or kJson, for one object with
// schema ggufgate.summary/1.
[[nodiscard]] std::unique_ptr<Reporter> MakeSummaryReporter(Format format, const ReportStyle& style,
                                                            std::ostream& out);

}  // namespace ggufgate

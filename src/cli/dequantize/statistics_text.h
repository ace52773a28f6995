#pragma once

#include <optional>
#include <ostream>

#include "dequantize/statistics.h"

namespace ggufgate {

// PrintStatistics prints a table, and below it the histogram as a drawing.
void PrintStatistics(const Statistics& statistics, const std::optional<Histogram>& histogram,
                     std::ostream& out);

}  // namespace ggufgate

#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "dequantize/statistics.h"
#include "parse/document.h"

namespace ggufgate {

// TensorStatistics is what is told of one tensor. It views the document.
struct TensorStatistics {
  const TensorInfo* tensor = nullptr;
  std::string_view type;
  Statistics statistics;
};

// StatisticsOfAll decodes one tensor after the other with `jobs` threads. An error when the data of
// one cannot be read.
[[nodiscard]] absl::StatusOr<std::vector<TensorStatistics>> StatisticsOfAll(
    const Document& document, const ByteSource& source, unsigned jobs);

// Each writes a line for each tensor, or one object of schema ggufgate.statistics/1.
void PrintStatisticsOf(const std::vector<TensorStatistics>& all, std::ostream& out);
void PrintStatisticsAsJson(const std::vector<TensorStatistics>& all, const std::string& path,
                           std::ostream& out);

}  // namespace ggufgate

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

// TensorStatistics describes one tensor. It views the document.
struct TensorStatistics {
  const TensorInfo* tensor = nullptr;
  std::string_view type;
  Statistics statistics;
};

// StatisticsOfAll decodes one tensor after the other with `jobs` threads. It returns an error if
// the data of a tensor cannot be read.
[[nodiscard]] absl::StatusOr<std::vector<TensorStatistics>> StatisticsOfAll(
    const Document& document, const ByteSource& source, unsigned jobs);

// PrintStatisticsOf prints one line per tensor. PrintStatisticsAsJson prints one object with schema
// ggufgate.statistics/1.
void PrintStatisticsOf(const std::vector<TensorStatistics>& all, std::ostream& out);
void PrintStatisticsAsJson(const std::vector<TensorStatistics>& all, const std::string& path,
                           std::ostream& out);

}  // namespace ggufgate

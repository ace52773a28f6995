#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/bytes.h"
#include "check/policy.h"
#include "gate/file_report.h"

namespace ggufgate {

// These functions carry a report from the process that read the file to the printer. The file may
// have exploited the first process, so the printer checks everything: see ReadReport.

// Maximum size of one report. The names of 65,536 tensors in a shard take about 10 MB of it.
inline constexpr std::uint64_t kMostReportBytes = std::uint64_t{64} << 20;

// WriteReport encodes a report without its path: the receiver knows which file it asked about.
// Sender and receiver belong to one run of one program, so the format may change with each version.
[[nodiscard]] std::vector<std::uint8_t> WriteReport(const FileReport& report);

// ReadReport decodes a report. It returns nullopt if the bytes are not exactly one valid report. It
// rejects a length, count or number out of range, text longer than a finding keeps, and a rule that
// is not in the catalogue. It also rejects a verdict that contradicts the findings or the problem
// under this policy. Its memory is proportional to the number of bytes.
[[nodiscard]] std::optional<FileReport> ReadReport(Bytes bytes, const Policy& policy);

}  // namespace ggufgate

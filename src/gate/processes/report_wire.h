#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "bytes/bytes.h"
#include "check/policy.h"
#include "gate/file_report.h"

namespace ggufgate {

// A report on its way from the process that read the file to the one that prints it. The file may
// have exploited the first, so the second checks everything: see ReadReport.

// Most bytes of one report: the names of 65,536 tensors in a shard are some 10 MB of it.
inline constexpr std::uint64_t kMostReportBytes = std::uint64_t{64} << 20;

// WriteReport puts a report in bytes, all but its path: who reads it knows which file it asked
// about. The format is for one run of one program and changes with it.
[[nodiscard]] std::vector<std::uint8_t> WriteReport(const FileReport& report);

// ReadReport takes a report out of bytes. nullopt where they are not exactly one: a length, count
// or number out of its range, text longer than a finding keeps, a rule that is not in the
// catalogue, a verdict that the findings or the problem contradict under this policy. Takes memory
// in proportion to the bytes.
[[nodiscard]] std::optional<FileReport> ReadReport(Bytes bytes, const Policy& policy);

}  // namespace ggufgate

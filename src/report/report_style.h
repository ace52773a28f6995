#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ggufgate {

// RunFacts describe the run itself, so that a report can be kept as evidence.
struct RunFacts {
  std::string time;           // start of the run, UTC, in the format of RFC 3339
  std::string policy_sha256;  // of the policy that was used, as PrintPolicy() writes it
  bool system_calls_confined = false;
  bool files_confined = false;
};

// ReportStyle holds the options of a report.
struct ReportStyle {
  bool colour = false;
  bool quiet = false;                          // nothing about accepted files
  bool verbose = false;                        // notes too
  std::size_t columns = 0;                     // of the terminal; 0: no terminal, no wrapping
  std::optional<RunFacts> run = std::nullopt;  // nullopt: the report does not describe the run
};

}  // namespace ggufgate

#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace ggufgate {

// RunFacts are what a report says of the run itself, so that it can be kept as evidence.
struct RunFacts {
  std::string time;           // when it began, UTC, as RFC 3339 has it
  std::string policy_sha256;  // of the policy in force as PrintPolicy() writes it
  bool system_calls_confined = false;
  bool files_confined = false;
};

// ReportStyle is how people like their text, and what is said besides.
struct ReportStyle {
  bool colour = false;
  bool quiet = false;       // nothing about accepted files
  bool verbose = false;     // notes too
  std::size_t columns = 0;  // of the terminal; 0: there is none, and nothing is wrapped
  std::optional<RunFacts> run = std::nullopt;  // none: nothing is said of the run
};

}  // namespace ggufgate
